/** Leaflet's ES module has the types of the package; unlike its main file it sets no global. */
declare module "leaflet/dist/leaflet-src.esm.js" {
  export * from "leaflet";
}
