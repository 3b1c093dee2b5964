/** What a kernel answers about a run, each question asked once. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type Door, reasonOf } from "../../bridge";
import { jsonText } from "../../numbers";
import { type JsonValue, once } from "../../tree";

export type Asked =
  | { state: "asking" }
  | { state: "known"; value: JsonValue }
  | { state: "unknown"; why: string };

const answers = new WeakMap<Door, Map<string, Promise<JsonValue>>>();

/** The answer to a question; one that failed is asked again when it is wanted again. */
export function ask(door: Door, kind: string, question: JsonValue): Promise<JsonValue> {
  const known = once(answers, door, () => new Map());
  const key = `${kind} ${jsonText(question)}`;
  return once(known, key, () => {
    const answer = door.ask(kind, question);
    answer.catch(() => known.delete(key));
    return answer;
  });
}

/** The same as it comes; `null`: nothing is asked. */
export function useAnswer(door: Door, kind: string, question: JsonValue): Asked | null {
  const asked = useSignal<Asked | null>(null);
  const key = question === null ? "" : jsonText(question);
  useEffect(() => {
    let isOver = false;
    const tell = (what: Asked | null) => {
      if (!isOver) asked.value = what;
    };
    tell(question === null ? null : { state: "asking" });
    if (question !== null)
      ask(door, kind, question).then(
        (value) => tell({ state: "known", value }),
        (why) => tell({ state: "unknown", why: reasonOf(why) }),
      );
    return () => {
      isOver = true;
    };
  }, [door, kind, key]);
  return asked.value;
}
