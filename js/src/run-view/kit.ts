/**
 * What the run view lends to its late parts: two copies of preact cannot draw one tree, nor may what
 * knows the view be there twice. `build.mjs` reads the imports, and leaves these out of that module.
 *
 * @module
 */
import * as signals from "@preact/signals";
import * as preact from "preact";
import * as hooks from "preact/hooks";
import * as jsx from "preact/jsx-runtime";
import * as json from "../renderers/json-tree";
import * as escaper from "../visible";
import * as callArguments from "./arguments";
import * as form from "./await-form";
import * as fold from "./fold-box";
import * as ids from "./own-id";
import * as texts from "./texts";
import * as view from "./view-state";
import * as words from "./words";

const KIT: Readonly<Record<string, unknown>> = {
  "@preact/signals": signals,
  preact,
  "preact/hooks": hooks,
  "preact/jsx-runtime": jsx,
  "../renderers/json-tree": json,
  "../visible": escaper,
  "./arguments": callArguments,
  "./await-form": form,
  "./fold-box": fold,
  "./own-id": ids,
  "./texts": texts,
  "./view-state": view,
  "./words": words,
};

/** What a late part may ask for, by the name that `build.mjs` left in place of it. */
export function lend(name: string): unknown {
  if (!Object.hasOwn(KIT, name)) throw new Error(`The run view has no ${name}.`);
  return KIT[name];
}
