/** A table as it is drawn, with its pages and orders, whoever gives its rows. */
export { Grid } from "./grid";
