/** A call as the kernel has it, where the page has only a part. */
import { type Door, isRecord } from "../../bridge";
import { type CallNode, type JsonValue, runWith, type Tree } from "../../tree";
import { ask } from "./answers";

/** Ask the kernel for all of a call. */
export function askWhole(door: Door, tree: Tree, call: CallNode): Promise<JsonValue> {
  return ask(door, "run:call", { run_id: runWith(tree, call)?.id ?? null, call_id: call.id });
}

/** A call with the texts that a kernel has whole; what it shows stays as the page has it. */
export function withWhole(call: CallNode, whole: JsonValue): CallNode {
  if (!isRecord(whole)) return call;
  const { content, output, failure, arguments: given, proposed } = whole;
  const { left_out_bytes: _, ...known } = call;
  return {
    ...known,
    arguments: given ?? null,
    proposed: proposed ?? null,
    content: typeof content === "string" ? content : call.content,
    failure: failureIn(call.failure, failure),
    output: Array.isArray(output) ? output.flatMap(printed) : call.output,
  };
}

function failureIn(known: CallNode["failure"], whole: JsonValue | undefined): CallNode["failure"] {
  if (!known || !isRecord(whole)) return known;
  const { message, debug_message: trace } = whole;
  return {
    ...known,
    message: typeof message === "string" ? message : known.message,
    debug_message: typeof trace === "string" ? trace : known.debug_message,
  };
}

function printed(one: JsonValue): CallNode["output"] {
  if (!isRecord(one) || typeof one.text !== "string") return [];
  const { stream, text } = one;
  return stream === "stdout" || stream === "stderr" || stream === "log" ? [{ stream, text }] : [];
}
