/** What is worth knowing of a run before one reads on, in a word each. */
import { callsOf, entry, type RunNode, type Tree } from "../tree";
import { visibleName } from "../visible-text";
import { branchInWords } from "./branches";
import { activeTime, usedBy } from "./family";
import { metersOf } from "./meters";
import { replayedInWords } from "./replays";
import { plural } from "./words";

interface Chip {
  text: string;
  /** What it means. */
  title: string;
}

/** The chips of a run. */
export function chipsOf(run: RunNode, tree: Tree): Chip[] {
  return [
    chat(run),
    branch(run),
    replayed(tree, run),
    resumed(run),
    approval(run, entry(tree.runs, run.parent_run_id ?? "")),
    leave(run),
    end(run, tree),
    refusal(run),
    changed(run),
  ].flatMap((chip) => chip ?? []);
}

function chat({ chat }: RunNode): Chip | null {
  return chat === null ? null : { text: `chat ${chat}`, title: `Goes on with the chat ${chat}` };
}

function branch({ forked_from }: RunNode): Chip | null {
  if (forked_from === null) return null;
  return { text: branchInWords(forked_from), title: "Forked" };
}

function replayed(tree: Tree, run: RunNode): Chip | null {
  const text = replayedInWords(tree, run);
  if (!text) return null;
  return {
    text,
    title: "A recording gave these answers: no model was asked, and nothing was paid",
  };
}

function resumed({ resumed_from }: RunNode): Chip | null {
  if (resumed_from === null) return null;
  return { text: "resumed", title: "Goes on with a run that was suspended" };
}

const APPROVALS: Record<RunNode["approval"], string> = {
  risky: "Asks before risky calls",
  ask: "Asks before each call",
  auto: "Allows all calls without asking",
  never: "Refuses the calls that would need consent",
};

/** What is not the usual, or not what the run around it has. */
function approval({ approval }: RunNode, parent: RunNode | undefined): Chip | null {
  if (approval === (parent?.approval ?? "risky")) return null;
  return { text: `approval: ${approval}`, title: APPROVALS[approval] };
}

/** The tools whose calls are not asked about any more, as this run shows. */
function leave(run: RunNode): Chip | null {
  const said = callsOf(run).filter(
    ({ authorization }) => authorization?.remembered || authorization?.under_grant,
  );
  const tools = [...new Set(said.map(({ name }) => visibleName(name)))];
  if (!tools.length) return null;
  return {
    text: `not asked about: ${tools.join(", ")}`,
    title: `You allowed all calls of ${tools.join(", ")} in this session. %nbagents approvals lists such leave; %nbagents approvals --revoke ${tools[0]} takes it back`,
  };
}

function end(run: RunNode, tree: Tree): Chip | null {
  if (run.status === "limit") {
    const used = usedBy(tree, run);
    const took_s = activeTime(run, used, run.started_at);
    // `Stopped at a limit: max_calls=3.`
    const met = run.failure?.message.match(/: (\w+)=\S+/);
    const full = metersOf(run, took_s, used).find(({ of, value, max }) =>
      met ? met[1] === (of === "time" ? "timeout_s" : `max_${of}`) : value >= max,
    );
    return { text: `limit${full ? `: ${full.words}` : ""}`, title: "A limit ended the run" };
  }
  const cut = callsOf(run).filter(({ status }) => status === "cancelled" || status === "unknown");
  const where = cut.length ? ` in ${plural(cut.length, "call")}` : "";
  if (run.status === "cancelled")
    return { text: `interrupted${where}`, title: run.failure?.message ?? "The run was stopped" };
  if (run.status !== "unknown") return null;
  return { text: `interrupted${where}`, title: "What was written down ends in mid-run" };
}

function refusal({ refused }: RunNode): Chip | null {
  return refused ? { text: "refused", title: "The model refused" } : null;
}

/** Whether a tool became another one while the run went on. */
function changed(run: RunNode): Chip | null {
  const versions = new Map<string, string>();
  const names = new Set<string>();
  for (const { name, source_hash } of callsOf(run)) {
    if (source_hash === null) continue;
    const known = versions.get(name);
    if (known !== undefined && known !== source_hash) names.add(name);
    versions.set(name, source_hash);
  }
  if (!names.size) return null;
  const which = [...names].join(", ");
  return { text: "tool changed", title: `More than one version was called: ${which}` };
}
