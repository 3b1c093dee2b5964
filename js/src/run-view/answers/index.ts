/** How a person answers what is asked: by a form, by text, or by what came from outside. */
export { AskForm } from "./ask";
export { Editor, NoteForm, TooLong } from "./editor";
export { ExternalForm } from "./external";
export {
  AnswerForm,
  AwaitButton,
  AwaitProvider,
  StopRun,
  useAwait,
  useSend,
} from "./form";
export { StepForm } from "./step";
