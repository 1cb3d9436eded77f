import type { Schedule } from "./blogs.ts";

const day = 24 * 60 * 60 * 1_000;

/** In milliseconds: a year, leap year or not. */
export const maxScheduleAhead = 366 * day;

export const scheduleProblems = {
  missing: "Choose a day and a time.",
  past: "This time is in the past. Choose a later one.",
  far: "This is more than a year away. Choose an earlier time.",
  gap: "This time doesn’t exist that day, since clocks are put forward. Choose an earlier or later one.",
} as const;

/** Returns the problem with a time in milliseconds, or undefined. */
export function scheduleProblem(at: number, now: number): string | undefined {
  if (!(at > now)) return scheduleProblems.past;
  return at > now + maxScheduleAhead ? scheduleProblems.far : undefined;
}

/** Returns a zone's common name, such as "Berlin time". */
export function zoneLabel(zone: string): string {
  const place = zone.includes("/") && !zone.startsWith("Etc/") ? zone.slice(zone.lastIndexOf("/") + 1) : null;
  return place ? `${place.replaceAll("_", " ")} time` : zone.replace(/^Etc\//, "");
}

/** Cached, since a format costs more than a card of a list. Bounded, since people choose the zones. */
const formats = new Map<string, Intl.DateTimeFormat>();
const mostFormats = 100;

function formatIn(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (!format) {
    if (formats.size >= mostFormats) formats.clear();
    format = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short", timeZone });
    formats.set(timeZone, format);
  }
  return format;
}

/** Returns "Nov 24, 2026, 9:00 AM (Berlin time)". */
export function scheduledTimeText({ at, zone }: Schedule): string {
  const when = formatIn(zone).format(new Date(at)).replaceAll("\u202f", " ");
  return `${when} (${zoneLabel(zone)})`;
}

export const scheduledLabel = (schedule: Schedule): string => `Scheduled for ${scheduledTimeText(schedule)}`;
