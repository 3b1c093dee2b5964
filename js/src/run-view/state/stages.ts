/** The stages of a run: one for each stateful kind, or for each target that its payloads name. */
import { signal } from "@preact/signals";
import { isRecord } from "../../bridge";
import { plainNumbers } from "../../numbers";
import type { Payload } from "../../tree";
import { callsOf, type Tree } from "../../tree";
import { callKey } from "./open-rows";
import { Stage } from "./stage";

/** Stateful kinds of which nobody must be told. */
const OURS = ["map"];

export class Stages {
  /** In the order in which they were first needed. */
  readonly all = signal<readonly Stage[]>([]);
  readonly #kinds = new Set(OURS);

  /** Whether payloads of this kind share one view. */
  isStateful(kind: string): boolean {
    return this.#kinds.has(kind);
  }

  /** These kinds are stateful too: show what the tree has of those that are new. */
  learn(kinds: Iterable<string>, tree: Tree): void {
    const fresh = new Set([...kinds].filter((kind) => !this.#kinds.has(kind)));
    for (const kind of fresh) this.#kinds.add(kind);
    if (fresh.size) this.showAll(tree, (kind) => fresh.has(kind));
  }

  /** Show what a tree says of all stages, or of those of some kinds. */
  showAll(tree: Tree, isWanted: (kind: string) => boolean = () => true): void {
    for (const run of Object.values(tree.runs)) {
      for (const call of callsOf(run)) {
        for (const { payload } of call.payloads) {
          if (isWanted(payload.kind)) this.show(callKey(run.id, call.id), payload);
        }
      }
    }
  }

  /** Take what a payload of a call says of a stage, if it does. */
  show(of: string, { kind, audience, value }: Payload): void {
    if (!this.isStateful(kind) || audience === "internal") return;
    if (kind === "map" && !isRecord(value)) return;
    const said = plainNumbers(value);
    const target = isRecord(value) && typeof value.target === "string" ? value.target : kind;
    this.#stage(kind, target).show(of, said);
  }

  /** The stages of which a call said something. */
  of(call_key: string): Stage[] {
    return this.all.value.filter((stage) => stage.isOf(call_key));
  }

  #stage(kind: string, name: string): Stage {
    const known = this.all.peek().find((one) => one.kind === kind && one.name === name);
    if (known) return known;
    const made = new Stage(kind, name);
    this.all.value = [...this.all.peek(), made];
    return made;
  }
}
