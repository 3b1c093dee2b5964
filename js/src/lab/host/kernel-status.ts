/** What a kernel's status says when it answers no more. */
export const OVER: ReadonlySet<string> = new Set([
  "restarting",
  "autorestarting",
  "terminating",
  "dead",
]);
