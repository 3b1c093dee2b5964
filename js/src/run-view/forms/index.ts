/**
 * Forms, made of JSON Schemas: their fields, what is written in them, and the value that it means.
 */
export { FormFields } from "./fields";
export { Labelled } from "./labelled-control";
export { type Field, optionText } from "./schema";
export { FormState, formOf, type KeptForm } from "./state";
export { NO, YES } from "./values";
