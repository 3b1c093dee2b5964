/** Names on the map, and where they stand. */
export { boxOf, type MiddleBox, touch } from "./boxes";
export { type Kind, type Name, namesFrom, pinName } from "./names";
export { FONT_PX, inView, LINE_PX, type Placed, type Placement, placement } from "./placement";
export { widthPx } from "./width";
