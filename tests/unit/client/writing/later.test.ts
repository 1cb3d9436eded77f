import { afterAll, afterEach, describe, expect, test } from "vitest";
import {
  inputValue,
  isAmbiguousTime,
  scheduleFromInput,
  toLocalInput,
  scheduledTimeProblem,
  parseLocalInput,
  timeText,
  defaultSchedule,
} from "../../../../src/client/writing/form/schedule-time.ts";
import { scheduleKey } from "../../../../src/client/writing/draft-fields.ts";
import { scheduleProblem, scheduledLabel, zoneLabel } from "../../../../src/shared/schedule.ts";

const timeZoneBefore = process.env.TZ;
const setBack = () => {
  if (timeZoneBefore === undefined) delete process.env.TZ;
  else process.env.TZ = timeZoneBefore;
};
afterEach(setBack);
afterAll(setBack);

const minute = 60_000;
const inZone = (zone: string, typed: string) => {
  process.env.TZ = zone;
  const read = parseLocalInput(typed);
  return typeof read === "string"
    ? read
    : `${new Date(read.at).toISOString()}${read.isTwice ? " first of two" : ""}`;
};

test.for([
  ["UTC", "2026-11-24T09:00", "2026-11-24T09:00:00.000Z"],
  ["Europe/Berlin", "2026-11-24T09:00", "2026-11-24T08:00:00.000Z"],
  ["Europe/Berlin", "2026-07-01T00:00", "2026-06-30T22:00:00.000Z"],
  ["America/New_York", "2026-11-24T23:30", "2026-11-25T04:30:00.000Z"],
  ["Asia/Kathmandu", "2026-11-24T09:00", "2026-11-24T03:15:00.000Z"],
  ["Australia/Lord_Howe", "2026-07-01T09:00", "2026-06-30T22:30:00.000Z"],
  ["Australia/Lord_Howe", "2026-12-01T09:00", "2026-11-30T22:00:00.000Z"],
  ["Pacific/Kiritimati", "2026-01-01T00:00", "2025-12-31T10:00:00.000Z"],
  // Clocks go forward: the times in between do not exist.
  ["Europe/Berlin", "2027-03-28T01:59", "2027-03-28T00:59:00.000Z"],
  ["Europe/Berlin", "2027-03-28T02:00", "gap"],
  ["Europe/Berlin", "2027-03-28T02:59", "gap"],
  ["Europe/Berlin", "2027-03-28T03:00", "2027-03-28T01:00:00.000Z"],
  ["America/New_York", "2027-03-14T02:30", "gap"],
  ["Australia/Lord_Howe", "2026-10-04T02:15", "gap"],
  ["Australia/Lord_Howe", "2026-10-04T02:30", "2026-10-03T15:30:00.000Z"],
  // Clocks go back: some times occur twice.
  ["Europe/Berlin", "2026-10-25T02:00", "2026-10-25T00:00:00.000Z first of two"],
  ["Europe/Berlin", "2026-10-25T02:59", "2026-10-25T00:59:00.000Z first of two"],
  ["Europe/Berlin", "2026-10-25T03:00", "2026-10-25T02:00:00.000Z"],
  ["America/New_York", "2026-11-01T01:30", "2026-11-01T05:30:00.000Z first of two"],
  ["Australia/Lord_Howe", "2027-04-04T01:45", "2027-04-03T14:45:00.000Z first of two"],
  ["Australia/Lord_Howe", "2027-04-04T01:15", "2027-04-03T14:15:00.000Z"],
  // Incomplete or unusual values of the input.
  ["UTC", "", "missing"],
  ["UTC", "2026-11-24", "missing"],
  ["UTC", "2026-13-40T25:61", "missing"],
  ["UTC", "0026-11-24T09:00", "0026-11-24T09:00:00.000Z"],
  ["UTC", "2026-11-24T09:00:30", "2026-11-24T09:00:00.000Z"],
] as const)("in %s %s is read as %s", ([zone, typed, moment]) => {
  expect(inZone(zone, typed)).toBe(moment);
});

const zones = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "UTC"];
test.for(zones)(
  "in %s each quarter of an hour of two years is read as it was written, except those that occur twice",
  (zone) => {
    process.env.TZ = zone;
    const start = Date.UTC(2026, 0, 1);
    let ambiguousCount = 0;
    for (let at = start; at < start + 730 * 24 * 60 * minute; at += 15 * minute) {
      const read = parseLocalInput(toLocalInput(at));
      if (typeof read === "string") throw new Error(`${new Date(at).toISOString()} is read as ${read}`);
      if (read.at === at) continue;
      ambiguousCount++;
      if (!read.isTwice || at - read.at > 60 * minute || toLocalInput(read.at) !== toLocalInput(at))
        throw new Error(`${new Date(at).toISOString()} is read as ${new Date(read.at).toISOString()}`);
    }
    // Two autumns of four quarters each, or of two where clocks change by half an hour.
    const expected = { "Asia/Kathmandu": 0, UTC: 0, "Australia/Lord_Howe": 4 }[zone] ?? 8;
    expect(ambiguousCount).toBe(expected);
  },
);

describe("the form", () => {
  test("keeps the scheduled moment, whatever time zone it is shown in", () => {
    process.env.TZ = "Europe/Berlin";
    const typed = scheduleFromInput("2026-11-24T09:00");
    expect(typed).toEqual({
      at: "2026-11-24T08:00:00.000Z",
      zone: "Europe/Berlin",
      typed: "2026-11-24T09:00",
    });
    process.env.TZ = "America/New_York";
    expect(inputValue(typed)).toBe("2026-11-24T03:00");
    const planned = { at: "2026-11-24T08:00:00.000Z", zone: "Europe/Berlin" };
    expect(inputValue(planned)).toBe("2026-11-24T03:00");
    expect(scheduleKey(planned)).toBe(scheduleKey(typed));
    expect(scheduleKey(scheduleFromInput(""))).not.toBe(scheduleKey(null));
  });

  test("proposes tomorrow at nine, local time", () => {
    process.env.TZ = "Europe/Berlin";
    // The night in which clocks go forward.
    expect(defaultSchedule(Date.parse("2027-03-27T20:00:00Z")).at).toBe("2027-03-28T07:00:00.000Z");
    expect(defaultSchedule(Date.parse("2026-12-31T22:30:00Z")).typed).toBe("2027-01-01T09:00");
  });

  test("says what is wrong with a time", () => {
    process.env.TZ = "Europe/Berlin";
    const now = Date.parse("2026-11-23T10:00:00Z");
    const problem = (typed: string) => scheduledTimeProblem(scheduleFromInput(typed), now);
    expect(problem("2026-11-23T11:01")).toBeUndefined();
    expect(problem("2026-11-23T11:00")).toMatch(/past/);
    expect(problem("2027-11-23T11:00")).toBeUndefined();
    expect(problem("2027-11-25T11:00")).toMatch(/more than a year/);
    expect(problem("2027-03-28T02:30")).toMatch(/clocks are put forward/);
    expect(problem("")).toMatch(/day and a time/);
    expect(scheduleProblem(Number.NaN, now)).toMatch(/past/);
    expect([
      isAmbiguousTime(scheduleFromInput("2026-10-25T02:30")),
      isAmbiguousTime(scheduleFromInput("2026-10-25T04:30")),
    ]).toEqual([true, false]);
  });

  test("formats the time as people say it", () => {
    process.env.TZ = "Europe/Berlin";
    const now = Date.parse("2026-11-23T18:00:00Z");
    const textOf = (at: string) => timeText(Date.parse(at), now, "en-GB");
    expect(textOf("2026-11-23T18:00:20Z")).toBe("Today at 19:00, in 1 minute");
    expect(textOf("2026-11-23T18:45:00Z")).toBe("Today at 19:45, in 45 minutes");
    expect(textOf("2026-11-23T18:59:40Z")).toBe("Today at 19:59, in 1 hour");
    expect(textOf("2026-11-24T08:00:00Z")).toBe("Tomorrow at 09:00, in 14 hours");
    expect(textOf("2026-11-23T23:30:00Z")).toBe("Tomorrow at 00:30, in 6 hours");
    expect(textOf("2026-11-27T08:00:00Z")).toBe("Friday 27 November at 09:00, in 4 days");
    expect(textOf("2027-02-01T08:00:00Z")).toBe("Monday, 1 February 2027 at 09:00, in 70 days");
  });
});

test("names a time zone by its place", () => {
  expect(
    ["Europe/Berlin", "America/Argentina/Buenos_Aires", "UTC", "Etc/GMT+3", "EST"].map(zoneLabel),
  ).toEqual(["Berlin time", "Buenos Aires time", "UTC", "GMT+3", "EST"]);
  expect(scheduledLabel({ at: "2026-12-31T23:30:00Z", zone: "Asia/Tokyo" })).toBe(
    "Scheduled for Jan 1, 2027, 8:30 AM (Tokyo time)",
  );
});
