/** Stylesheets come as text: `build.mjs` makes them so. */
declare module "*.css" {
  const css: string;
  export default css;
}
