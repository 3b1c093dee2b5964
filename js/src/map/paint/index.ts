/** How a map is painted: its colours, countries and layers. */
export { type Hit, hit, paintLayers } from "./layer-paint";
export { type Layer, layersFrom } from "./layers";
export { paintNames } from "./name-paint";
export { paint, paintScale, scaleBox } from "./paint";
export { followTheme, themeOf } from "./theme";
