import { countText } from "../../../shared/count-text.ts";
import type { Schedule } from "../../../shared/blogs.ts";
import type { ScheduledTime } from "../draft-fields.ts";
import { scheduleProblem, scheduleProblems } from "../../../shared/schedule.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Returns this device's IANA time zone. */
export const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

const twoDigits = (value: number): string => String(value).padStart(2, "0");

/** Formats a time in this device's zone for a `datetime-local` field: "2026-11-24T09:00". */
export function toLocalInput(at: number): string {
  const date = new Date(at);
  const year = String(date.getFullYear()).padStart(4, "0");
  return `${year}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}T${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
}

/**
 * Parses a `datetime-local` value in this device's zone. Of a time that occurs twice, returns the first; "gap" if clocks skip
 * it.
 */
export function parseLocalInput(typed: string): { at: number; isTwice: boolean } | "missing" | "gap" {
  const [, local] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(?::\d\d(?:\.\d+)?)?$/.exec(typed) ?? [];
  const asUtc = Date.parse(`${local}:00Z`);
  if (local === undefined || Number.isNaN(asUtc)) return "missing";
  // Tries the UTC offsets of the day before and of the day after.
  const moments = [-day, day].map((by) => asUtc + new Date(asUtc + by).getTimezoneOffset() * minute);
  const found = [...new Set(moments)].filter((at) => toLocalInput(at) === local);
  if (found.length === 0) return "gap";
  return { at: Math.min(...found), isTwice: found.length > 1 };
}

export function scheduleFromInput(typed: string): ScheduledTime {
  const read = parseLocalInput(typed);
  const at = typeof read === "string" ? null : new Date(read.at).toISOString();
  return { at, zone: ownZone(), typed };
}

/** Returns the field's value; one typed in another time zone is converted. */
export function inputValue({ at, zone, typed }: ScheduledTime): string {
  if (typed !== undefined && zone === ownZone()) return typed;
  return at === null ? "" : toLocalInput(Date.parse(at));
}

export function defaultSchedule(now: number): ScheduledTime {
  const date = new Date(now);
  return scheduleFromInput(
    toLocalInput(new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1, 9).getTime()),
  );
}

export function scheduledTimeProblem(later: ScheduledTime, now: number): string | undefined {
  if (later.at !== null) return scheduleProblem(Date.parse(later.at), now);
  return parseLocalInput(inputValue(later)) === "gap" ? scheduleProblems.gap : scheduleProblems.missing;
}

export function isAmbiguousTime(later: ScheduledTime): boolean {
  const read = parseLocalInput(inputValue(later));
  return typeof read === "object" && read.isTwice;
}

export const toSchedule = (later: ScheduledTime | null): Schedule | null =>
  later?.at ? { at: later.at, zone: later.zone } : null;

/** Formats a time in this device's zone and language: "Tomorrow at 9:00 AM, in 14 hours". */
export function timeText(at: number, now: number, language?: string): string {
  const write = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, options).format(at);
  const time = write({ timeStyle: "short" });
  const days = Math.round((midnight(at) - midnight(now)) / day);
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  const date = write({
    weekday: "long",
    day: "numeric",
    month: "long",
    ...(isThisYear ? {} : { year: "numeric" }),
  });
  const dayLabel = days === 0 ? "Today" : days === 1 ? "Tomorrow" : date;
  return `${dayLabel} at ${time}, in ${durationText(at - now)}`;
}

/** Returns the start of the local day as if in UTC. */
function midnight(at: number): number {
  const date = new Date(at);
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
}

function durationText(span: number): string {
  const [size, unit] =
    span < hour - minute / 2 ? [minute, "minute"] : span < 2 * day - hour / 2 ? [hour, "hour"] : [day, "day"];
  const count = Math.max(1, Math.round(span / size));
  return countText(count, unit);
}
