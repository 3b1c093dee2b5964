/**
 * What the run view lends to its late parts: two copies of preact cannot draw one tree, nor may what
 * knows the view be there twice. `build.mjs` reads the imports, and leaves these out of that module.
 */
import * as signals from "@preact/signals";
import * as preact from "preact";
import * as hooks from "preact/hooks";
import * as jsx from "preact/jsx-runtime";
import * as controls from "../../page/controls";
import * as fold from "../../page/fold-box";
import * as icons from "../../page/icons";
import * as callArguments from "../../texts/arguments";
import * as prose from "../../texts/prose";
import * as texts from "../../texts/texts";
import * as escaper from "../../visible-text";
import * as words from "../../words/words";
import * as form from "../answers/form";
import * as actions from "../buttons/actions";
import * as byModule from "../payloads/by-module";
import * as groups from "../rows/groups";
import * as rows from "../rows/rows";
import * as waterfall from "../rows/waterfall";
import * as kinds from "../state/kinds";
import * as view from "../state/view-state";

const KIT: Readonly<Record<string, unknown>> = {
  "@preact/signals": signals,
  preact,
  "preact/hooks": hooks,
  "preact/jsx-runtime": jsx,
  actions,
  "by-module": byModule,
  controls,
  groups,
  icons,
  kinds,
  rows,
  waterfall,
  "visible-text": escaper,
  arguments: callArguments,
  form,
  "fold-box": fold,
  prose,
  texts,
  "view-state": view,
  words,
};

/** What a late part may ask for, by the name that `build.mjs` left in place of it. */
export function lend(name: string): unknown {
  if (!Object.hasOwn(KIT, name)) throw new Error(`The run view has no ${name}.`);
  return KIT[name];
}
