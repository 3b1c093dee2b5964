/** How a person answers what is asked: by a form, by text, or by what came from outside. */
export { AskForm } from "./ask";
export { Editor } from "./editor";
export { ExternalForm } from "./external";
export { AnswerForm, AwaitButton, Cancel, useSend } from "./form";
export type { AwaitPlace, AwaitProps } from "./props";
export { StepForm } from "./step";
