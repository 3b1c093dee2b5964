/** Where things are on the earth: positions, bounds, coastlines and the graticule. */
export { type Atlas, type Shape, seen, shaped, unrolled } from "./atlas";
export { type Bounds, boundsFrom, fitted, NOMINAL } from "./bounds";
export type { Box } from "./clip";
export { Detail } from "./detail";
export { LatePart, type Load } from "./fetched-part";
export { type GridLine, meridians, parallels, type View } from "./graticule";
export { type Inset, insetOf } from "./inset";
export {
  describe,
  LAT_LIMIT,
  nearestLon,
  type Pin,
  type Position,
  samePosition,
  scaleBar,
  scaleWords,
  settled,
  unitX,
  unitY,
  worldPx,
  ZOOM_LIMIT,
} from "./position";
