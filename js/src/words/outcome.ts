/**
 * What came of a run, in one sign and in words, as `nbagents/runs/wording/outcomes.py` decides it:
 * both pass `tests/fixtures/outcomes.json`.
 */
import {
  type CallNode,
  callsOf,
  ENDINGS,
  type RunNode,
  type RunStatus,
  runsOf,
  type Tree,
  VERDICTS,
} from "../tree";
import { visible } from "../visible-text";
import { familyOf, runsIn } from "./family";
import { CALL_WORDS, clipped, grouped, plural, RUN_WORDS } from "./words";

/** `completed` is a tick: all went well. `partly`: done, but for what the words name. */
export type Sign = RunStatus | "waiting" | "skipped" | "partly";

type Kind = keyof typeof ENDINGS;

const ORDER = Object.keys(ENDINGS).filter(isKind);
/** A call that was stopped, or never begun, may be folded away. */
const FOLDABLE = new Set<Kind | null>([null, "cancelled", "skipped"]);
const UNMET_SHOWN = 5;
const UNMET_CHARACTERS = 40;

export interface Outcome {
  sign: Sign;
  /** `Done, 2 of 30 calls failed`. */
  words: string;
  /** How many calls there were, in the run and in those inside it, unless the words say it. */
  calls: string;
}

/** What came of a run and those inside it; `status` is what it is shown to be doing. */
export function outcomeOf(tree: Tree, run: RunNode, status: RunStatus | "waiting"): Outcome {
  const kindOf = kindsIn(tree);
  const kinds = familyOf(tree, run).flatMap((one) => callsOf(one).map((call) => kindOf(one, call)));
  const bad = ORDER.flatMap((kind): [Kind, number][] => {
    const many = kinds.filter((one) => one === kind).length;
    return many ? [[kind, many]] : [];
  });
  const [gravest] = bad;
  const all = kinds.length;
  const calls = bad.map(([kind, many], at) => ending(kind, many, all, at)).join(", ");
  const isDone = status === "completed";
  const isVerdict = isDone && gravest !== undefined && !kinds.includes(null);
  let sign: Sign = status;
  let head: string = RUN_WORDS[status];
  if (isVerdict) {
    const [kind] = gravest;
    sign = kind === "hollow" ? "failed" : VERDICTS[kind]; // hollow is never alone
    head = sign === "skipped" ? CALL_WORDS.skipped : RUN_WORDS[sign];
  } else if (isDone && run.refused) {
    sign = "denied";
    head = "Refused by the model";
  } else if (isDone && (gravest || run.unmet.length)) sign = "partly";
  const said = calls ? `${head}${isVerdict ? ": " : ", "}${calls}` : head;
  return {
    sign,
    words: said + unmetWords(run.unmet),
    calls: all && !calls ? plural(all, "call") : "",
  };
}

/** Tells whether a call must stay in sight: it did not do what it was for, or not all in it did. */
export function staysIn(tree: Tree): (run: RunNode, call: CallNode) => boolean {
  const kindOf = kindsIn(tree);
  const isBad = (run: RunNode, call: CallNode) => !FOLDABLE.has(kindOf(run, call));
  return (run, call) =>
    isBad(run, call) ||
    runsIn(tree, [call]).some((one) => callsOf(one).some((below) => isBad(one, below)));
}

/** How each call of a tree ended; `null`: it did what it was for, or goes on. */
function kindsIn(tree: Tree): (run: RunNode, call: CallNode) => Kind | null {
  const hollow = new Map<string, boolean>();
  const isHollow = (run: RunNode): boolean => {
    const known = hollow.get(run.id);
    if (known !== undefined) return known;
    hollow.set(run.id, false); // a run in itself
    const calls = callsOf(run);
    const is = calls.length > 0 && calls.every((call) => kindOf(run, call) !== null);
    hollow.set(run.id, is);
    return is;
  };
  const kindOf = (run: RunNode, call: CallNode): Kind | null => {
    const { status, guardrails } = call;
    if (status === "preparing" || status === "waiting" || status === "running")
      return run.status === "running" || run.status === "suspended" ? null : "unknown";
    if (status !== "done") return status;
    if (guardrails.some(({ outcome }) => outcome === "refuse")) return "refused";
    const children = runsOf(tree, call);
    return children.length > 0 && children.every(isHollow) ? "hollow" : null;
  };
  return kindOf;
}

function ending(kind: Kind, many: number, all: number, at: number): string {
  const [one, several, after] = ENDINGS[kind];
  if (at) return `${grouped(many)} ${after}`;
  if (many < all) return `${grouped(many)} of ${plural(all, "call")} ${many === 1 ? one : several}`;
  return all === 1 ? `its only call ${one}` : `all ${plural(all, "call")} ${several}`;
}

function unmetWords(unmet: string[]): string {
  if (!unmet.length) return "";
  const named = unmet
    .slice(0, UNMET_SHOWN)
    .map((one) => `“${clipped(visible(one), UNMET_CHARACTERS)}”`);
  const more = unmet.length - UNMET_SHOWN;
  return `; did not use ${named.join(", ")}${more > 0 ? ` and ${grouped(more)} more` : ""}`;
}

function isKind(name: string): name is Kind {
  return name in ENDINGS;
}
