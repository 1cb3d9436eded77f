import { TomlDate } from "smol-toml";
import { timeOfLocal } from "../../runtime/local-time.ts";

/**
 * Parses a date as programs and people write it, or seconds or milliseconds since 1970. A time without an offset is in
 * `timeZone`, by default UTC; a day without a time is of UTC. Returns undefined for anything else.
 */
export function parsedDate(value: unknown, timeZone: string | null = null): Date | undefined {
  const inZone = (date: Date) => (timeZone === null ? date : new Date(timeOfLocal(timeZone, date.getTime())));
  if (value instanceof TomlDate) {
    const date = new Date(value.getTime());
    return value.isTime() ? undefined : value.isLocal() && value.isDateTime() ? inZone(date) : date;
  }
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const text = String(value).trim().slice(0, 100);
  if (/^-?\d{9,14}$/.test(text)) return new Date(Number(text) * (text.length <= 10 ? 1000 : 1));
  const match = numericDate.exec(text) ?? numericDate.exec(toNumericDate(text) ?? "");
  // JavaScript takes the first years for those of the 20th century.
  if (!match || Number(match[1]) < 1000) return undefined;
  const [, year, month = "", day = "", time = "00:00", fraction = "", zone, hours = "+00", minutes = "00"] =
    match;
  const isoDay = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  // JavaScript would accept February 30 as March 1.
  if (new Date(`${isoDay}T00:00:00Z`).getUTCDate() !== Number(day)) return undefined;
  const hasSeconds = time.split(":").length === 3;
  const clock = `${time.padStart(hasSeconds ? 8 : 5, "0")}${hasSeconds ? fraction.replace(",", ".") : ""}`;
  const date = new Date(`${isoDay}T${clock}${hours}:${minutes}`);
  if (Number.isNaN(date.getTime())) return undefined;
  return match[4] === undefined || zone ? date : inZone(date);
}

const numericDate =
  /^(\d{4})[-/.](\d\d?)[-/.](\d\d?)(?:[T ]+(\d\d?:\d\d(?::\d\d)?)([.,]\d+)? ?(UTC|GMT|Z|([+-]\d\d):?(\d\d))?(?: \([^()]*\))?)?$/i;
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

/** As `2020-01-02`. */
export const day = (date: Date): string => date.toISOString().slice(0, 10);

/** Returns a time zone by its standard name; null when it is unknown. */
export function knownZone(name: string | null | undefined): string | null {
  try {
    return name ? new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone : null;
  } catch {
    return null;
  }
}
