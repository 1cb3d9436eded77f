import { expect, test } from "vitest";
import { relativeText, shortStyle } from "../../../../src/client/ui/time.tsx";

const now = Date.UTC(2026, 5, 15, 12);
const minute = 60_000;
const day = 24 * 60 * minute;

test.each([
  [-5_000, "just now"],
  [59_999, "just now"],
  [minute, "1 minute ago"],
  [59.9 * minute, "59 minutes ago"],
  [60 * minute, "1 hour ago"],
  [23.9 * 60 * minute, "23 hours ago"],
  [day, "1 day ago"],
  [6.9 * day, "6 days ago"],
  [7 * day, "1 week ago"],
  [30 * day, "4 weeks ago"],
  [31 * day, "1 month ago"],
  [364 * day, "11 months ago"],
  [366 * day, "1 year ago"],
  [10.5 * 365.25 * day, "10 years ago"],
])("describes an age of %d ms as %s", (age, expected) => {
  expect(relativeText(now - age, now)).toBe(expected);
});

test.each([
  ["the time of day alone", Date.UTC(2026, 5, 15, 0, 1), "time"],
  ["the time of day alone", Date.UTC(2026, 5, 15, 23, 59), "time"],
  ["the day", Date.UTC(2026, 5, 14, 23, 59), "day"],
  ["the day", Date.UTC(2026, 0, 1), "day"],
  ["the day and the year", Date.UTC(2025, 11, 31, 23, 59), "date"],
  ["the day and the year", Date.UTC(2025, 5, 15, 12), "date"],
])("picks %s as the short form of %d", (_, at, style) => {
  expect(shortStyle(at, now, "UTC")).toBe(style);
});

test("computes the day of a short date in the reader's time zone", () => {
  const midnight = new Date(2026, 5, 15).getTime();
  expect(shortStyle(midnight, midnight + day - 1, "local")).toBe("time");
  expect(shortStyle(midnight - 1, midnight, "local")).toBe("day");
});
