/** What ends with a test: a view that stands would have its say in other tests. */
import { onTestFinished } from "vitest";

/** A signal that is given when the test has ended. */
export function untilEnd(): AbortSignal {
  const end = new AbortController();
  onTestFinished(() => end.abort());
  return end.signal;
}
