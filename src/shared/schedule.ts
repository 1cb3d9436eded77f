import type { Schedule } from "./blogs.ts";

/* When a draft is published by itself: what its author is told of it. */

const day = 24 * 60 * 60 * 1_000;

/** So far ahead a time may be chosen, in milliseconds: a year, whichever it is. */
export const furthestAhead = 366 * day;

export const scheduleProblems = {
  missing: "Choose a day and a time.",
  past: "This time is in the past. Choose a later one.",
  far: "This is more than a year away. Choose an earlier time.",
  gap: "This time doesn’t exist that day, since clocks are put forward. Choose an earlier or later one.",
} as const;

/** What speaks against a time, in milliseconds; undefined where nothing does. */
export function problemOfTime(at: number, now: number): string | undefined {
  if (!(at > now)) return scheduleProblems.past;
  return at > now + furthestAhead ? scheduleProblems.far : undefined;
}

/** "Berlin time", as people say it. */
export function zoneWords(zone: string): string {
  const place = zone.includes("/") && !zone.startsWith("Etc/") ? zone.slice(zone.lastIndexOf("/") + 1) : null;
  return place ? `${place.replaceAll("_", " ")} time` : zone.replace(/^Etc\//, "");
}

/** Making one costs more than a card of a list; people choose the names of the zones. */
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

/** "Scheduled for Nov 24, 2026, 9:00 AM (Berlin time)". */
export function scheduledWords({ at, zone }: Schedule): string {
  const when = formatIn(zone).format(new Date(at)).replaceAll("\u202f", " ");
  return `Scheduled for ${when} (${zoneWords(zone)})`;
}
