/** A form that somebody fills in: by fields, or as JSON. */
import { batch, signal } from "@preact/signals";
import { isRecord, reasonOf } from "../../bridge";
import { jsonText } from "../../numbers";
import type { JsonValue } from "../../tree";
import { type AwaitNode, entry, put } from "../../tree";
import { type Field, fieldsOf } from "./schema";
import { type Faults, recordIn, valueIn, type Written, writtenOf } from "./values";

/** The path of what is written as JSON. */
export const WHOLE = "";

/** Whether it is written as JSON, and what is written. */
export type KeptForm = [boolean, Written];

export class FormState {
  /** What there is to fill in; empty while all of it is JSON. */
  readonly fields = signal<Field[]>([]);
  readonly written = signal<Written>({});
  readonly faults = signal<Faults>(new Map());
  readonly isJson = signal(false);
  readonly #schema: JsonValue;
  /** What was there at first, defaults and all. */
  readonly #before: Record<string, JsonValue>;
  /** What of that nobody gave, so that it is only told. */
  readonly #defaults: readonly string[];
  /** What stood in the fields at first; nothing once they were shown anew. */
  #untouched: Written;

  constructor(schema: JsonValue, given: JsonValue, defaults: readonly string[] = []) {
    this.#schema = schema;
    this.#before = isRecord(given) ? given : {};
    this.#defaults = defaults;
    const fields = this.#fieldsOf(given);
    if (fields) this.#show(fields);
    else this.#showText(given ?? {});
    this.#untouched = fields ? this.written.value : {};
  }

  /** The fields of a value, with what counts where they are left empty. */
  #fieldsOf(value: JsonValue): Field[] | null {
    const known = Object.entries(isRecord(value) ? value : {});
    const given = known.filter(([name, one]) => !this.#isDefault(name, one));
    const fields = fieldsOf(this.#schema, isRecord(value) ? Object.fromEntries(given) : value);
    for (const field of fields ?? []) {
      if (this.#defaults.includes(field.name)) field.usual = entry(this.#before, field.name);
    }
    return fields;
  }

  #isDefault(name: string, value: JsonValue): boolean {
    return this.#defaults.includes(name) && this.#isBefore(name, value);
  }

  #isBefore(name: string, value: JsonValue): boolean {
    const before = entry(this.#before, name);
    return before !== undefined && jsonText(before) === jsonText(value);
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

  /** What was written so far: given again, a form of the same schema has it again. */
  get kept(): KeptForm {
    return [this.isJson.value, this.written.value];
  }

  set kept([isJson, written]: KeptForm) {
    if (isJson !== this.isJson.value) this.flip();
    this.written.value = written;
  }

  /** Fields instead of JSON, or JSON instead of fields. */
  flip(): void {
    if (!this.isJson.value) {
      const { value } = valueIn(this.fields.value, this.written.value);
      const usual = this.#defaults.flatMap((name) => {
        const one = entry(this.#before, name);
        return one === undefined || Object.hasOwn(value, name) ? [] : [[name, one] as const];
      });
      this.#showText({ ...value, ...Object.fromEntries(usual) });
      return;
    }
    const value = this.read();
    const fields = value && this.#fieldsOf(value);
    if (fields) this.#show(fields);
    if (fields) this.#untouched = {};
  }

  /** What is other than at first, and what is not there any more; `null` where something is wrong. */
  changes(): { changes: Record<string, JsonValue>; left_out: string[] } | null {
    const value = this.read();
    if (!value) return null;
    const changed = Object.entries(value).filter(
      ([name, one]) => !this.#isBefore(name, one) && !this.#isUntouched(name),
    );
    const left_out = Object.keys(this.#before).filter(
      (name) =>
        !Object.hasOwn(value, name) && !this.#defaults.includes(name) && !this.#isUntouched(name),
    );
    return { changes: Object.fromEntries(changed), left_out };
  }

  /** Whether all that stands in the fields of a name is what stood there at first. */
  #isUntouched(name: string): boolean {
    if (this.isJson.value) return false;
    const first = Object.entries(this.#untouched);
    const own = first.filter(([path]) => path === `/${name}` || path.startsWith(`/${name}/`));
    return own.length > 0 && own.every(([path, text]) => this.textOf(path) === text);
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
      const fault = reasonOf(reason);
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
      this.written.value = { [WHOLE]: jsonText(value, "  ") };
      this.faults.value = new Map();
      this.isJson.value = true;
    });
  }
}

/** The form of an await, made when first asked for, and kept with how far its answer is. */
export function formOf(answering: { form: FormState | null }, node: AwaitNode): FormState {
  answering.form ??= new FormState(node.form, formGiven(node), node.defaults);
  return answering.form;
}

/** What stands in the form at first. */
function formGiven({ kind, form, arguments: given, left_out_bytes }: AwaitNode): JsonValue {
  if (left_out_bytes) return null; // what is not whole must not be sent back as if it were
  if (kind === "confirmation" || !isRecord(given)) return given;
  const properties = isRecord(form) ? form.properties : null;
  const names = isRecord(properties) ? Object.keys(properties) : [];
  return Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name)));
}
