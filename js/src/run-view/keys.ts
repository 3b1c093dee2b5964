/**
 * Arrow keys between rows: up and down move, right opens, left closes.
 *
 * @module
 */
export function moveFocus(event: KeyboardEvent): void {
  const { target, currentTarget } = event;
  if (!(target instanceof HTMLElement) || !(currentTarget instanceof HTMLElement)) return;
  if (!target.classList.contains("nba-row") || event.ctrlKey || event.metaKey || event.altKey)
    return;
  const isOpen = target.getAttribute("aria-expanded") === "true";
  if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
    if (isOpen === (event.key === "ArrowLeft")) target.click();
  } else {
    const rows = [...currentTarget.querySelectorAll<HTMLElement>(".nba-row")];
    const next = rows[destination(event.key, rows.indexOf(target), rows.length)];
    if (!next) return;
    next.focus();
  }
  event.preventDefault();
}

function destination(key: string, at: number, length: number): number {
  switch (key) {
    case "ArrowDown":
      return at + 1;
    case "ArrowUp":
      return at - 1;
    case "Home":
      return 0;
    case "End":
      return length - 1;
    default:
      return -1;
  }
}
