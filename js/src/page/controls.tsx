/** The controls of views: buttons, what they and fields do with signals, and the ids by which they name things. */
import type { Signal } from "@preact/signals";
import type { ButtonHTMLAttributes, JSX } from "preact";
import { useState } from "preact/hooks";

type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, "class"> & { class?: string };

/** A button that sends no form. */
export function Button(props: ButtonProps): JSX.Element {
  return <button type="button" {...props} />;
}

/** One that looks like a link. */
export function LinkButton({ class: name = "", ...props }: ButtonProps): JSX.Element {
  return <Button class={name ? `nba-link ${name}` : "nba-link"} {...props} />;
}

/** One that does something with a run or a call. */
export function ActionButton({ class: name = "", ...props }: ButtonProps): JSX.Element {
  return <Button class={name ? `nba-action ${name}` : "nba-action"} {...props} />;
}

export function flips(one: Signal<boolean>): () => void {
  return () => {
    one.value = !one.value;
  };
}

export function sets<T>(one: Signal<T>, value: NoInfer<T>): () => void {
  return () => {
    one.value = value;
  };
}

/** What a field holds goes into a signal. */
export function writes(one: Signal<string>) {
  return ({ currentTarget }: { currentTarget: { value: string } }) => {
    one.value = currentTarget.value;
  };
}

/** Where a key goes in a list from one of so many places; -1: nowhere. */
export function placeAfter(
  key: string,
  at: number,
  many: number,
  [back, forth]: readonly [string, string] = ["ArrowUp", "ArrowDown"],
): number {
  if (key === forth) return at + 1;
  if (key === back) return at - 1;
  if (key === "Home") return 0;
  return key === "End" ? many - 1 : -1;
}

const PAGE = Math.random().toString(36).slice(2, 7);
let made = 0;

/** An id that is unique on the page: Preact's own begin anew with every view, and a call's is written by a model. */
export function useOwnId(): string {
  return useState(() => `nba-${PAGE}-${++made}`)[0];
}
