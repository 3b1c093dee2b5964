/** The controls of views: buttons, and what they and fields do with signals. */
import type { Signal } from "@preact/signals";
import type { ButtonHTMLAttributes, JSX } from "preact";

type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, "class"> & { class?: string };

/** A button that sends no form. */
export function Button(props: ButtonProps): JSX.Element {
  return <button type="button" {...props} />;
}

/** One that looks like a link. */
export function LinkButton({ class: name = "", ...props }: ButtonProps): JSX.Element {
  return <Button class={name ? `nba-link ${name}` : "nba-link"} {...props} />;
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
