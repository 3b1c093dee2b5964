/** Leaflet's ES module has the types of the package; unlike its main file it sets no global. */
declare module "leaflet/dist/leaflet-src.esm.js" {
  export * from "leaflet";
}

/** Too large for its type to be read from its text. */
declare module "world-atlas/countries-50m.json" {
  const world: unknown;
  export default world;
}
