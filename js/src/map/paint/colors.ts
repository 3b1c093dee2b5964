/** Colours of layers: a palette that is seen on light and on dark maps, or a CSS colour, checked. */

const PALETTE: Readonly<Record<string, string>> = {
  blue: "#2f7fd6",
  orange: "#e07b00",
  green: "#2f9e44",
  red: "#e03131",
  purple: "#9c5fd6",
  teal: "#0c9aa6",
  pink: "#e0559a",
  brown: "#a5702a",
  yellow: "#d9a400",
  grey: "#808a93",
};

const SHAPES =
  /^(?:#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})|(?:rgb|hsl)a?\([\d\s.,%/deg]{1,60}\)|[a-z]{3,20})$/;

/** What CSS calls a colour; of what is none, the palette's colour for the layer's place. */
export function cssColor(color: unknown, place: number): string {
  const named = typeof color === "string" ? color.trim().toLowerCase() : "";
  const own = PALETTE[named];
  if (own !== undefined) return own;
  const choices = Object.values(PALETTE);
  return SHAPES.test(named) ? named : (choices[place % choices.length] ?? "grey");
}
