/** What each kind of await is given to be shown by. */
import type { Question, RunState } from "../state";

/** What is asked, and where. */
export interface AwaitPlace {
  state: RunState;
  question: Question;
}

export interface AwaitProps extends AwaitPlace {
  /** Whether an answer given here is heard. */
  canAnswer: boolean;
}
