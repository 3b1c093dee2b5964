/** The small map in a corner: close up the atlas has little to show, so it says where one is. */

import type { Box } from "./clip";
import type { View } from "./graticule";
import { type Position, unitX, unitY, worldPx } from "./position";

export interface Inset {
  /** Its left top corner in the large map. */
  readonly x: number;
  readonly y: number;
  readonly view: View;
  /** The large map's view, in the small map's pixels. */
  readonly mark: Box;
}

const FROM_ZOOM = 5.5;
const ZOOM = 2;
const WIDTH_PX = 112;
const HEIGHT_PX = 76;
/** Under it there is room for the attribution. */
const FLOOR_PX = 26;
const MARGIN_PX = 9;
const LEAST_MARK_PX = 6;

/** `null` where it would be of no use, or in the way. */
export function insetOf(view: View, position: Position): Inset | null {
  if (view.zoom < FROM_ZOOM || view.width < 3 * WIDTH_PX || view.height < 2.5 * HEIGHT_PX) {
    return null;
  }
  const world = worldPx(ZOOM);
  const left = unitX(position.lon) * world - WIDTH_PX / 2;
  const top = unitY(position.lat) * world - HEIGHT_PX / 2;
  const shrink = 2 ** (ZOOM - view.zoom);
  const across = Math.max(LEAST_MARK_PX, view.width * shrink) / 2;
  const down = Math.max(LEAST_MARK_PX, view.height * shrink) / 2;
  return {
    x: view.width - WIDTH_PX - MARGIN_PX,
    y: view.height - HEIGHT_PX - FLOOR_PX,
    view: { left, top, width: WIDTH_PX, height: HEIGHT_PX, zoom: ZOOM },
    mark: {
      left: WIDTH_PX / 2 - across,
      right: WIDTH_PX / 2 + across,
      top: HEIGHT_PX / 2 - down,
      bottom: HEIGHT_PX / 2 + down,
    },
  };
}
