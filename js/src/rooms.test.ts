/**
 * Rooms and doors. A folder is a room, and its index is its door: who is not in the room imports from the
 * room, never from a file in it. A room imports only from what stands below it, for types, too.
 */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";

/** From the top down; what stands in one line does not know each other. `.`: the files of no room. */
const FLOORS = [
  ["lab"],
  ["lab/place", "lab/saved"],
  ["run-view"],
  ["run-view/calls", "run-view/styles"],
  ["run-view/header", "run-view/awaits"],
  ["run-view/late"],
  ["run-view/pane"],
  [
    "run-view/about",
    "run-view/answers",
    "run-view/copies",
    "run-view/seen",
    "run-view/payloads",
    "run-view/rows",
  ],
  ["run-view/buttons", "run-view/whole"],
  ["run-view/state"],
  ["run-view/forms"],
  ["catalogue", "chart", "code-colours", "map", "markdown", "panel", "table"],
  ["map/surface", "media", "table/grid", "renderers"],
  ["map/paint", "table/rows", "texts"],
  ["map/names"],
  ["map/world", "page"],
  ["words"],
  ["lab/host"],
  ["."],
  ["tree"],
];
const MOST = 15;
/** The kit names the very files that it lends: doors would be lent with all that they lead to. */
const FREE = ["run-view/late/kit.ts"];
/** Tests, and what only they use. */
const OF_TESTS = /\.test\.|(^|\/)(fake-\w+|sample-run|parts-here)\.ts$/;
const IMPORT = /^(?:import|export)\b[^;"']*"(\.[^"]+)"|\bimport\(\s*"(\.[^"]+)"/gm;
const ENDINGS = ["", ".ts", ".tsx", "/index.ts", "/index.tsx"];

type Files = ReadonlyMap<string, string>;

function sources(): Files {
  const names = fs.readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" });
  const ours = names
    .map((name) => name.replaceAll(path.sep, "/"))
    .filter((name) => /\.tsx?$/.test(name) && !OF_TESTS.test(name) && !name.endsWith(".d.ts"));
  const text = (name: string) => fs.readFileSync(path.join(import.meta.dirname, name), "utf8");
  return new Map(ours.map((name) => [name, text(name)]));
}

const roomOf = (name: string) => path.posix.dirname(name);
const isDoor = (name: string) => /(^|\/)index\.tsx?$/.test(name);
const isIn = (room: string, of: string) => room === of || room.startsWith(`${of}/`);
const floorOf = (room: string) => FLOORS.findIndex((rooms) => rooms.includes(room));

/** Who imports what, each by its path. */
function imports(files: Files): [from: string, to: string][] {
  return [...files].flatMap(([from, text]) =>
    [...text.matchAll(IMPORT)].flatMap(([, one, late]) => {
      const place = path.posix.join(roomOf(from), one ?? late ?? "");
      const to = ENDINGS.map((ending) => path.posix.normalize(place + ending));
      return to.filter((name) => files.has(name)).map((name): [string, string] => [from, name]);
    }),
  );
}

function pastDoors(files: Files): string[] {
  return imports(files)
    .filter(([from, to]) => roomOf(to) !== "." && !isDoor(to) && !isIn(roomOf(from), roomOf(to)))
    .filter(([from]) => !FREE.includes(from))
    .map(([from, to]) => `${from} imports ${to}: take it from ${roomOf(to)}`);
}

function upwards(files: Files): string[] {
  return imports(files)
    .map(([from, to]) => ({ from, to, low: floorOf(roomOf(from)), high: floorOf(roomOf(to)) }))
    .filter(({ from, to, low, high }) => roomOf(from) !== roomOf(to) && high <= low)
    .map(({ from, to }) => `${from} imports ${to}, which does not stand below it`);
}

function roomsOf(files: Files): Map<string, string[]> {
  const rooms = new Map<string, string[]>();
  for (const name of files.keys())
    rooms.set(roomOf(name), [...(rooms.get(roomOf(name)) ?? []), name]);
  return rooms;
}

describe("the rooms", () => {
  const files = sources();

  test("each has its floor", () => {
    expect([...roomsOf(files).keys()].sort()).toEqual(FLOORS.flat().sort());
  });

  test("each imports only from below", () => {
    expect(upwards(files)).toEqual([]);
  });

  test("nobody goes past a door", () => {
    expect(pastDoors(files)).toEqual([]);
  });

  test("each is small", () => {
    const full = [...roomsOf(files)].filter(([, all]) => all.length > MOST);
    expect(full.map(([room, { length }]) => `${room}: ${length}`)).toEqual([]);
  });

  test("each says at its door what it holds", () => {
    const doors = [...roomsOf(files).keys()].filter((room) => room !== ".");
    const silent = doors.filter((room) => {
      const door = files.get(`${room}/index.ts`) ?? files.get(`${room}/index.tsx`);
      return !door?.startsWith("/**");
    });
    expect(silent).toEqual([]);
  });
});

test("what goes past a door, or up, is found; also for types, over lines and late", () => {
  const files = new Map([
    ["bridge.ts", 'type View = typeof import("./run-view");'],
    ["page/index.ts", 'export { Pane } from "./pane";'],
    ["page/pane.tsx", 'import { a } from "../bridge";\nimport { b } from "../tree";'],
    ["tree/index.ts", 'import type {\n  Pane,\n} from "../page/pane";'],
    ["run-view/index.tsx", 'const late = () => import("../page/pane");\nimport "./state";'],
    ["run-view/state/index.ts", 'import { Pane } from "../../page";'],
  ]);
  expect(pastDoors(files)).toEqual([
    "tree/index.ts imports page/pane.tsx: take it from page",
    "run-view/index.tsx imports page/pane.tsx: take it from page",
  ]);
  expect(upwards(files)).toEqual([
    "bridge.ts imports run-view/index.tsx, which does not stand below it",
    "tree/index.ts imports page/pane.tsx, which does not stand below it",
  ]);
});
