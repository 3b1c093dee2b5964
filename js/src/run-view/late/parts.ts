/**
 * The parts of the run view that most runs do without: a module of their own, which comes when the
 * first of them is drawn. `stand-ins.tsx` stands in for each until then.
 */
import branches from "../styles/branches.css";
import closer from "../styles/closer.css";
import step from "../styles/step.css";

export { Media, PictureDialog } from "../../media";
export {
  Code,
  Diff,
  HtmlFrame,
  JsonTree,
  Log,
  PoolView,
} from "../../renderers";
export { BranchList, CallFacts, Cuts, Edits, ForkHere } from "../about";
export { AskForm, Editor, ExternalForm, NoteForm, StepForm, TooLong } from "../answers";
export { Custom } from "../payloads";
export { SeenSteps } from "../seen";

export const css = branches + closer + step;
