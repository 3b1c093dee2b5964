/**
 * The names of countries, seas and large towns. A module of its own: a map is there before it.
 *
 * Source: facts of Natural Earth, public domain, and of our own hand.
 */
import names from "../../../../widgets/nbagents_widgets/world/names.json";

/** By kind, rows of name, longitude, latitude and the zoom level from which on it is shown. */
export const table: unknown = names;
