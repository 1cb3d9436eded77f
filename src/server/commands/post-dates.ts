import { TomlDate } from "smol-toml";

/** A date without a time zone is in UTC. */
export function dateOf(value: unknown): Date | null {
  if (value instanceof TomlDate) return value.isTime() ? null : new Date(value.getTime());
  if (typeof value !== "string" && typeof value !== "number") return null;
  const match =
    /^(\d{4})[-/](\d\d)[-/](\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)? ?(?:UTC|GMT|Z|([+-]\d\d):?(\d\d))?)?$/i.exec(
      String(value).trim(),
    );
  if (!match) return null;
  const [, year, month, day, time = "00:00", hours = "+00", minutes = "00"] = match;
  const midnight = new Date(`${year}-${month}-${day}T00:00:00Z`);
  // JavaScript takes the 30th of February for the 1st of March.
  if (midnight.getUTCDate() !== Number(day)) return null;
  const date = new Date(`${year}-${month}-${day}T${time}${hours}:${minutes}`);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** The date that a path names, as blogs made of files have it. */
export function dateInPath(path: string): Date | null {
  const [, year, month, day] =
    /(?:^|[/\\])(\d{4})([/-])(\d\d)\2(\d\d)(?=[-_/\\.]|$)/.exec(path)?.filter((_, at) => at !== 2) ?? [];
  return year && month && day ? dateOf(`${year}-${month}-${day}`) : null;
}
