/**
 * Colours of code, in the languages of notebooks: highlight.js, of which only these are bundled.
 */
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import css from "highlight.js/lib/languages/css";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import julia from "highlight.js/lib/languages/julia";
import python from "highlight.js/lib/languages/python";
import r from "highlight.js/lib/languages/r";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import type { ColouredPiece } from "../bridge";

const LANGUAGES = { bash, c, css, javascript, json, julia, python, r, sql, typescript, xml, yaml };
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);
hljs.registerAliases(["ipython", "python3", "py3"], { languageName: "python" });

/** Longer code has no colours: it would take longer than a page may. */
const MOST_CHARACTERS = 100_000;

/** What a piece is, of all that grammars tell apart: few colours are told apart by people. */
const SCOPES: Record<string, string> = {
  keyword: "keyword",
  operator: "keyword",
  "selector-tag": "keyword",
  built_in: "name",
  title: "name",
  section: "name",
  name: "name",
  type: "name",
  class: "name",
  attr: "attribute",
  attribute: "attribute",
  property: "attribute",
  "selector-class": "attribute",
  "selector-id": "attribute",
  variable: "attribute",
  "template-variable": "attribute",
  symbol: "attribute",
  string: "string",
  regexp: "string",
  link: "string",
  number: "number",
  literal: "number",
  meta: "meta",
  comment: "comment",
  quote: "comment",
  doctag: "comment",
};

/** The pieces of a text, each with what it is; `null` where the language is not known. */
export function colours(text: string, language: string): ColouredPiece[] | null {
  const name = language.toLowerCase();
  if (text.length > MOST_CHARACTERS || !hljs.getLanguage(name)) return null;
  const { _emitter } = hljs.highlight(text, { language: name, ignoreIllegals: true });
  const pieces: ColouredPiece[] = [];
  gather((_emitter as unknown as { rootNode: Scoped }).rootNode, "", pieces);
  return pieces;
}

/** A node of what highlight.js has found. */
interface Scoped {
  scope?: string;
  children: (Scoped | string)[];
}

function gather({ scope, children }: Scoped, around: string, pieces: ColouredPiece[]): void {
  const own = SCOPES[scope?.split(".", 1)[0] ?? ""] ?? around;
  for (const child of children) {
    if (typeof child === "string") pieces.push([child, own]);
    else gather(child, own, pieces);
  }
}
