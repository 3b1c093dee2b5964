/**
 * A form that somebody fills in: by fields, or as JSON.
 *
 * @module
 */
import { batch, signal } from "@preact/signals";
import type { JsonValue } from "../events";
import { type AwaitNode, put } from "../tree";
import type { Answering } from "./asked";
import { type Field, fieldsOf, isJsonRecord } from "./form-schema";
import { type Faults, recordIn, valueIn, type Written, writtenOf } from "./form-values";

/** The path of what is written as JSON. */
export const WHOLE = "";

export class FormState {
  /** What there is to fill in; empty while all of it is JSON. */
  readonly fields = signal<Field[]>([]);
  readonly written = signal<Written>({});
  readonly faults = signal<Faults>(new Map());
  readonly isJson = signal(false);
  readonly #schema: JsonValue;

  constructor(schema: JsonValue, given: JsonValue) {
    this.#schema = schema;
    const fields = fieldsOf(schema, given);
    if (fields) this.#show(fields);
    else this.#showText(given ?? {});
  }

  /** Whether there is another form than JSON. */
  get hasFields(): boolean {
    return fieldsOf(this.#schema) !== null;
  }

  textOf(path: string): string {
    return this.written.value[path] ?? "";
  }

  set(path: string, text: string): void {
    const written = { ...this.written.value };
    put(written, path, text);
    batch(() => {
      this.written.value = written;
      if (!this.faults.value.has(path)) return;
      const faults = new Map(this.faults.value);
      faults.delete(path);
      this.faults.value = faults;
    });
  }

  /** Fields instead of JSON, or JSON instead of fields. */
  flip(): void {
    if (!this.isJson.value) {
      this.#showText(valueIn(this.fields.value, this.written.value).value);
      return;
    }
    const value = this.read();
    const fields = value && fieldsOf(this.#schema, value);
    if (fields) this.#show(fields);
  }

  /** What was filled in; `null` where something is wrong, which is then shown. */
  read(): Record<string, JsonValue> | null {
    if (!this.isJson.value) {
      const { value, faults } = valueIn(this.fields.value, this.written.value);
      this.faults.value = faults;
      return faults.size ? null : value;
    }
    try {
      const value = recordIn(this.textOf(WHOLE));
      this.faults.value = new Map();
      return value;
    } catch (reason) {
      const fault = reason instanceof Error ? reason.message : String(reason);
      this.faults.value = new Map([[WHOLE, fault]]);
      return null;
    }
  }

  #show(fields: Field[]): void {
    batch(() => {
      this.fields.value = fields;
      this.written.value = writtenOf(fields);
      this.faults.value = new Map();
      this.isJson.value = false;
    });
  }

  #showText(value: JsonValue): void {
    batch(() => {
      this.written.value = { [WHOLE]: JSON.stringify(value, null, 2) };
      this.faults.value = new Map();
      this.isJson.value = true;
    });
  }
}

/** The form of an await, made when first asked for. */
export function formOf(answering: Answering, node: AwaitNode): FormState {
  answering.form ??= new FormState(node.form, formGiven(node));
  return answering.form;
}

/** What stands in the form at first. */
function formGiven({ kind, form, arguments: given, left_out_bytes }: AwaitNode): JsonValue {
  if (left_out_bytes) return null; // what is not whole must not be sent back as if it were
  if (kind === "confirmation" || !isJsonRecord(given)) return given;
  const properties = isJsonRecord(form) ? form.properties : null;
  const names = isJsonRecord(properties) ? Object.keys(properties) : [];
  return Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name)));
}
