/**
 * What preact and signals put off until the next frame is done before the next test begins.
 *
 * They ask for no other frame while one is due. One that is lost with a test's timers would leave the next
 * tests without effects, and what has gone listening.
 */
import { options } from "preact";
import { afterEach } from "vitest";

const due = new Set<() => void>();

options.requestAnimationFrame = (work) => {
  const once = () => {
    if (due.delete(once)) work();
  };
  due.add(once);
  requestAnimationFrame(once);
};

afterEach(() => {
  for (const once of due) once();
});
