import { TomlDate } from "smol-toml";
import { timeOfLocal } from "../../runtime/local-time.ts";

/** Parses a date. A time without an offset is in `timeZone`, by default UTC; a day without a time is of UTC. */
export function parseDate(value: unknown, timeZone: string | null = null): Date | null {
  const inZone = (date: Date) => (timeZone === null ? date : new Date(timeOfLocal(timeZone, date.getTime())));
  if (value instanceof TomlDate) {
    const date = new Date(value.getTime());
    return value.isTime() ? null : value.isLocal() && value.isDateTime() ? inZone(date) : date;
  }
  if (typeof value !== "string" && typeof value !== "number") return null;
  const text = String(value).trim();
  const match = numericDate.exec(text) ?? numericDate.exec(toNumericDate(text) ?? "");
  // JavaScript takes the first years for those of the 20th century.
  if (!match || Number(match[1]) < 1000) return null;
  const [, year, month = "", day = "", time = "00:00", zone, hours = "+00", minutes = "00"] = match;
  const isoDay = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const midnight = new Date(`${isoDay}T00:00:00Z`);
  // JavaScript would accept February 30 as March 1.
  if (midnight.getUTCDate() !== Number(day)) return null;
  const date = new Date(
    `${isoDay}T${time.padStart(time.split(":").length === 3 ? 8 : 5, "0")}${hours}:${minutes}`,
  );
  if (Number.isNaN(date.getTime())) return null;
  return match[4] === undefined || zone ? date : inZone(date);
}

const numericDate =
  /^(\d{4})[-/.](\d\d?)[-/.](\d\d?)(?:[T ]+(\d\d?:\d\d(?::\d\d)?)(?:[.,]\d+)? ?(UTC|GMT|Z|([+-]\d\d):?(\d\d))?)?$/i;
const months = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");

/** Converts `Thu, 2 Jan 2020 10:00:00 +0100`, `January 2nd, 2020` and similar. */
function toNumericDate(text: string): string | null {
  const [, dayFirst, nameBehind, nameFirst, dayBehind, year, rest = ""] =
    /^(?:[a-z]{3,9}\.?,? +)?(?:(\d\d?)\.? +([a-z]{3,9})\.?|([a-z]{3,9})\.? +(\d\d?)(?:st|nd|rd|th)?),? +(\d{4})(?:,? +(?:at +)?(.*))?$/i.exec(
      text,
    ) ?? [];
  const month = months.indexOf((nameBehind ?? nameFirst ?? "").slice(0, 3).toLowerCase()) + 1;
  if (!year || month === 0) return null;
  return `${year}-${month}-${dayFirst ?? dayBehind}${rest ? ` ${rest}` : ""}`;
}

/** As file-based blogs write it. */
export function dateInPath(path: string): Date | null {
  const [, year, month, day] =
    /(?:^|[/\\])(\d{4})([/-])(\d\d)\2(\d\d)(?=[-_/\\.]|$)/.exec(path)?.filter((_, at) => at !== 2) ?? [];
  return year && month && day ? parseDate(`${year}-${month}-${day}`) : null;
}
