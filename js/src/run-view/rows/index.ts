/**
 * What a run is shown as before it is drawn: the flat list of its rows, and what is said of calls together.
 */
export {
  type GroupLine,
  groupSign,
  groupSpan,
  groupWords,
  howMany,
  isUrgent,
  moreWords,
  previews,
  subjects,
} from "./groups";
export { answerOf, type Folding, type Holder, isMany, lineCount, type Row, rowsOf } from "./rows";
export {
  barsOf,
  joined,
  type Phase,
  phasesOf,
  phasesOfRun,
  phaseWords,
  type Scale,
  secondsAt,
  spansOf,
  tickOf,
} from "./waterfall";
