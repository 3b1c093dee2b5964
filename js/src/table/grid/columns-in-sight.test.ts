import { expect, test } from "vitest";
import { rowsInSight } from "./columns-in-sight";

test.each([
  [0, 300],
  [37, 300],
  [900, 250],
  [1049, 299],
])("from %d px down all rows of %d px are drawn, and some around them", (top, height) => {
  const drawn = rowsInSight(10_000, 27, top, top + height);
  expect(drawn?.start).toBeLessThanOrEqual(Math.floor(top / 27) - 6);
  expect(drawn?.stop).toBeGreaterThanOrEqual(Math.ceil((top + height) / 27) + 6);
  expect((drawn?.stop ?? 99) - (drawn?.start ?? 0)).toBeLessThan(Math.ceil(height / 27) + 26);
});

test("of a table whose columns are all drawn, or that was not laid out, all rows are", () => {
  expect(rowsInSight(24, 27, 0, 300)).toBeNull();
  expect(rowsInSight(10_000, 0, 0, 300)).toBeNull();
  expect(rowsInSight(10_000, 27, 0, 0)).toBeNull();
});
