import type { Schedule } from "../../../shared/blogs.ts";
import { problemOfTime, scheduleProblems } from "../../../shared/schedule.ts";

/** When a blog is to be published by itself, as the form holds it. */
export interface Later {
  /** ISO 8601; null where what stands in the box is no time. */
  at: string | null;
  zone: string;
  /** What stands in the box, of this device's clock; left out where it has not been touched. */
  typed?: string;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** The time zone of this device, as the IANA calls it. */
export const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

const two = (value: number): string => String(value).padStart(2, "0");

/** A moment by this device's clock, as a box for day and time has it: "2026-11-24T09:00". */
export function localOf(at: number): string {
  const date = new Date(at);
  const year = String(date.getFullYear()).padStart(4, "0");
  return `${year}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/**
 * The moment that a box for day and time tells of, by this device's clock. Where clocks are put back and show it twice, it is
 * the first; where they are put forward over it there is none.
 */
export function readLocal(typed: string): { at: number; isTwice: boolean } | "missing" | "gap" {
  const [, local] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(?::\d\d(?:\.\d+)?)?$/.exec(typed) ?? [];
  const asUtc = Date.parse(`${local}:00Z`);
  if (local === undefined || Number.isNaN(asUtc)) return "missing";
  // What the clock is apart from UTC there, by what it is on the day before and on the day after.
  const moments = [-day, day].map((by) => asUtc + new Date(asUtc + by).getTimezoneOffset() * minute);
  const found = [...new Set(moments)].filter((at) => localOf(at) === local);
  if (found.length === 0) return "gap";
  return { at: Math.min(...found), isTwice: found.length > 1 };
}

/** What the form holds once this stands in the box. */
export function laterOf(typed: string): Later {
  const read = readLocal(typed);
  const at = typeof read === "string" ? null : new Date(read.at).toISOString();
  return { at, zone: ownZone(), typed };
}

/** What the box shows. What was typed by another clock is shown by this one. */
export function boxOf({ at, zone, typed }: Later): string {
  if (typed !== undefined && zone === ownZone()) return typed;
  return at === null ? "" : localOf(Date.parse(at));
}

/** What is proposed to begin with: tomorrow at nine. */
export function tomorrow(now: number): Later {
  const date = new Date(now);
  return laterOf(localOf(new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1, 9).getTime()));
}

export function problemOfLater(later: Later, now: number): string | undefined {
  if (later.at !== null) return problemOfTime(Date.parse(later.at), now);
  return readLocal(boxOf(later)) === "gap" ? scheduleProblems.gap : scheduleProblems.missing;
}

/** Whether clocks are put back over what stands in the box, and show it twice. */
export function isTwice(later: Later): boolean {
  const read = readLocal(boxOf(later));
  return typeof read === "object" && read.isTwice;
}

/** By what two are the same: the moment, or what is no time yet. */
export const keyOf = (later: Later | null): string | null => later && (later.at ?? `typed ${later.typed}`);

export const asLater = (schedule: Schedule | null | undefined): Later | null => schedule ?? null;
export const asSchedule = (later: Later | null): Schedule | null =>
  later?.at ? { at: later.at, zone: later.zone } : null;

/** "Tomorrow at 9:00 AM, in 14 hours", by this device's clock and in its language. */
export function timeWords(at: number, now: number, language?: string): string {
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
  const which = days === 0 ? "Today" : days === 1 ? "Tomorrow" : date;
  return `${which} at ${time}, in ${spanWords(at - now)}`;
}

/** The beginning of its day, as if there were no summer time. */
function midnight(at: number): number {
  const date = new Date(at);
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
}

function spanWords(span: number): string {
  const [size, unit] =
    span < hour - minute / 2 ? [minute, "minute"] : span < 2 * day - hour / 2 ? [hour, "hour"] : [day, "day"];
  const count = Math.max(1, Math.round(span / size));
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
