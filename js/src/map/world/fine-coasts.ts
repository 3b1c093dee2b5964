/**
 * The world's coastlines and borders at 1:50 million, for maps close up. A module of its own: it is
 * as large as all the rest, and fetched when a map is first zoomed in.
 *
 * Source: Natural Earth, public domain, as packed by world-atlas.
 */
import world from "world-atlas/countries-50m.json";

/** The TopoJSON, with countries and land. */
export const topology: unknown = world;
