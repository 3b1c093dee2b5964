import { expect, test } from "vitest";
import type { JsonValue } from "../../tree";
import { type Field, fieldsOf } from "./schema";
import { valueIn, writtenOf } from "./values";

const FORM = {
  type: "object",
  properties: {
    name: { type: "string", description: "Whose" },
    age: { type: "integer" },
    weight: { type: ["number", "null"] },
    isNew: { type: "boolean" },
    level: { $ref: "#/$defs/Level" },
    tags: { type: "array", items: { type: "string" } },
    sizes: { type: "array", items: { type: "number" } },
    colours: { type: "array", items: { enum: ["red", "blue"] } },
    home: { anyOf: [{ $ref: "#/$defs/Place" }, { type: "null" }] },
    other: { anyOf: [{ type: "string" }, { type: "integer" }] },
    day: { type: "string", format: "date" },
  },
  required: ["name", "age", "weight", "isNew", "level"],
  $defs: {
    Level: { enum: ["low", 2, null] },
    Place: {
      type: "object",
      properties: { city: { type: "string" }, floor: { type: "integer", default: 0 } },
      required: ["city"],
    },
  },
} satisfies JsonValue;

function fields(given: JsonValue = null, schema: JsonValue = FORM): Field[] {
  const found = fieldsOf(schema, given);
  if (!found) throw new Error("the schema has no fields");
  return found;
}

function named(all: Field[], name: string): Field | undefined {
  return all.find((field) => field.name === name);
}

/** What a form sends that is opened with what is given, and then filled in. */
function sent(given: JsonValue, filled: Record<string, string> = {}, schema: JsonValue = FORM) {
  const all = fields(given, schema);
  const { value, faults } = valueIn(all, { ...writtenOf(all), ...filled });
  return { value, faults: Object.fromEntries(faults) };
}

test("each property is a field of its type", () => {
  const types = fields().map(({ name, type }) => [name, type.is]);
  expect(Object.fromEntries(types)).toEqual({
    name: "text",
    age: "number",
    weight: "number",
    isNew: "flag",
    level: "choice",
    tags: "list",
    sizes: "list",
    colours: "several",
    home: "group",
    other: "json",
    day: "text",
  });
});

test("what must be there and what may be null is known, and what a field means", () => {
  const all = fields();
  expect(named(all, "name")).toMatchObject({ isRequired: true, mayBeNull: false, about: "Whose" });
  expect(named(all, "weight")).toMatchObject({ isRequired: true, mayBeNull: true });
  expect(named(all, "home")).toMatchObject({ isRequired: false, mayBeNull: true });
  expect(named(all, "day")?.type).toEqual({ is: "text", input: "date" });
});

const WHOLE = {
  name: "Ada",
  age: 36,
  weight: null,
  isNew: true,
  level: 2,
  tags: ["a", "b"],
  sizes: [1, 2.5],
  colours: ["blue"],
  home: { city: "Oslo", floor: 3 },
  other: 7,
  day: "2026-01-02",
  beside: { of: "another version" },
} satisfies JsonValue;

test("what is given and not changed is sent as it was, what the schema does not name too", () => {
  expect(sent(WHOLE)).toEqual({ value: WHOLE, faults: {} });
});

test("what is filled in has the type of its field", () => {
  const filled = {
    "/name": "Bob",
    "/age": " 7 ",
    "/isNew": "no",
    "/level": "0",
    "/sizes": "1\n\n-2e3\n",
    "/home/floor": "",
    "/other": '"text"',
  };
  expect(sent(WHOLE, filled).value).toMatchObject({
    name: "Bob",
    age: 7,
    isNew: false,
    level: "low",
    sizes: [1, { $number: "-2e3" }],
    home: { city: "Oslo" },
    other: "text",
  });
});

test("an empty form says what is needed, and leaves out what is not", () => {
  const { value, faults } = sent(null);
  expect(value).toEqual({ weight: null, isNew: false });
  expect(faults).toEqual({
    "/name": "This is needed.",
    "/age": "This is needed.",
    "/level": "Choose one.",
  });
});

test.each([
  ["/age", "many", "many is no number."],
  ["/age", "1.5", "A whole number is needed."],
  ["/sizes", "1\ntwo", "two is no number."],
  ["/home/city", "", "This is needed."],
])("%s cannot be %j", (path, text, fault) => {
  expect(sent(WHOLE, { [path]: text }).faults).toEqual({ [path]: fault });
});

test("JSON that is none is a fault of its field", () => {
  expect(sent(WHOLE, { "/other": "{" }).faults["/other"]).toContain("This is no JSON");
});

test("a group that may be missing is left out while nothing stands in it", () => {
  expect(sent({ ...WHOLE, home: null }).value.home).toBeNull();
  const { home, ...rest } = WHOLE;
  expect(sent(rest).value).not.toHaveProperty("home");
  expect(sent(rest, { "/home/floor": "2" }).faults).toEqual({ "/home/city": "This is needed." });
});

test("what a simple field would lose is written as JSON", () => {
  const given = { ...WHOLE, tags: ["two\nlines"], sizes: "none", colours: ["red", "red"], name: 5 };
  const all = fields(given);
  for (const name of ["tags", "sizes", "colours", "name"]) {
    expect(named(all, name)?.type.is).toBe("json");
  }
  expect(sent(given).value).toEqual(given);
});

test("a list that is emptied is an empty list, where it was given", () => {
  expect(sent(WHOLE, { "/tags": "", "/colours": "" }).value).toMatchObject({
    tags: [],
    colours: [],
  });
});

test("a long text has a long field", () => {
  const long = named(fields({ name: "x".repeat(80) }), "name");
  expect(long?.type).toEqual({ is: "text", input: "long" });
});

test.each([
  null,
  true,
  { type: "object" },
  { type: "object", properties: {} },
] satisfies JsonValue[])("%j has no fields", (schema) => {
  expect(fieldsOf(schema)).toBeNull();
});

test("a schema that holds itself ends as JSON, and one that points nowhere is JSON", () => {
  const node: JsonValue = {
    type: "object",
    properties: { next: { $ref: "#" }, lost: { $ref: "#/$defs/Gone" } },
  };
  let all = fields(null, node);
  let depth = 0;
  for (let next = named(all, "next"); next?.type.is === "group"; next = named(all, "next")) {
    expect(named(all, "lost")?.type.is).toBe("json");
    all = next.type.fields;
    depth += 1;
  }
  expect(depth).toBeGreaterThan(1);
  expect(named(all, "next")?.type.is).toBe("json");
});
