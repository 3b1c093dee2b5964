/**
 * What is said of a run in words: states and amounts, what came of it, and what was done, as Python.
 */
export { branchInWords } from "./branches";
export { chipsOf } from "./chips";
export { editInWords } from "./edits";
export {
  activeTime,
  childrenOf,
  childrenWords,
  familyOf,
  runsIn,
  type Used,
  usedBy,
  waited,
  waitsOf,
} from "./family";
export { type Meter, metersOf } from "./meters";
export { type Outcome, outcomeOf, type Sign, staysIn } from "./outcome";
export { argumentWords, at, callInPython, cellAgain, type Given, literal } from "./python";
export { tellingIn } from "./telling";
export { callSign, refusedOf, troublesInside } from "./troubles";
export {
  argumentsLine,
  CALL_WORDS,
  callSentence,
  clipped,
  count,
  duration,
  exactJson,
  grouped,
  isByHand,
  isError,
  isOpenCall,
  isWaitingWorth,
  money,
  NOT_ASKED,
  namedOnce,
  ownerOf,
  plural,
  preview,
  runSentence,
  size,
  textSize,
  ticking,
  took,
  toPeople,
} from "./words";
