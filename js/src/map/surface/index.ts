/** A map on the page: its state, tiles, pins and popups, the wheel, and what clicks hit. */
export {
  merged,
  NOWHERE_YET,
  pinsFrom,
  type Rendered,
  report,
  sameReport,
  standing,
} from "./state";
export { type Drawing, type Goal, openSurface } from "./surface";
export { tilesFrom } from "./tiles";
