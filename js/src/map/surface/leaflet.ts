/** Leaflet as we use it: it moves the map and says where it is; what is drawn is ours. */

import * as L from "leaflet/dist/leaflet-src.esm.js";
import { addSheet } from "../../page";
import { ZOOM_LIMIT } from "../world";
import furniture from "./furniture.css";
import legend from "./legend.css";
import map from "./map.css";

export function openLeaflet(box: HTMLElement): L.Map {
  const leaflet = L.map(box, {
    attributionControl: false, // it would take the attribution for markup
    fadeAnimation: false,
    inertia: false,
    markerZoomAnimation: false,
    maxZoom: ZOOM_LIMIT,
    minZoom: 0,
    wheelPxPerZoomLevel: 120,
    worldCopyJump: true,
    zoomAnimation: false,
  });
  // Leaflet takes the focus when the map is pressed, which would scroll the notebook to show it all.
  const focus = box.focus.bind(box);
  box.focus = (options) => focus({ ...options, preventScroll: true });
  // The arrow keys would glide; a map that is somewhere else at once says where it is at once.
  const panBy = leaflet.panBy.bind(leaflet);
  leaflet.panBy = (offset, options) => panBy(offset, { ...options, animate: false });
  return leaflet;
}

/** Make a canvas as fine as the screen; gives its pen, in pixels of the page. */
export function sharpened(
  canvas: HTMLCanvasElement,
  width: number,
  height: number,
): CanvasRenderingContext2D | null {
  const pen = canvas.getContext("2d");
  if (width === 0 || height === 0 || pen === null) return null;
  const dots = window.devicePixelRatio || 1;
  const [wide, high] = [Math.round(width * dots), Math.round(height * dots)];
  if (canvas.width !== wide || canvas.height !== high) {
    canvas.width = wide;
    canvas.height = high;
  }
  pen.setTransform(dots, 0, 0, dots, 0, 0);
  return pen;
}

export function putStyle(el: HTMLElement): void {
  addSheet(el, "map", map + furniture + legend);
}
