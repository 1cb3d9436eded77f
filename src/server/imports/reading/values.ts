/* Untyped values of rows from other programs. */

export type Row = Record<string, unknown>;

export const isRow = (value: unknown): value is Row =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns trimmed text; undefined when empty. */
export function trimmedText(value: unknown): string | undefined {
  const text = typeof value === "number" ? String(value) : typeof value === "string" ? value.trim() : "";
  return text || undefined;
}

export const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export const isYes = (value: unknown): boolean =>
  value === true || value === 1 || value === "1" || value === "true";

/** Parses JSON; undefined when it is invalid. */
export function parsedJson(value: unknown): unknown {
  try {
    return typeof value === "string" ? (JSON.parse(value) as unknown) : undefined;
  } catch {
    return undefined;
  }
}

/** Parses ISO, `2020-01-02 03:04:05` in UTC, or milliseconds; undefined outside the years 1 to 9999. */
export function parsedDate(value: unknown): Date | undefined {
  if (typeof value !== "number" && typeof value !== "string") return undefined;
  const text = String(value).trim();
  if (!text || text.length > 60 || text.startsWith("0000-")) return undefined;
  const isNumber = /^-?\d{9,14}$/.test(text);
  const iso = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?(?:\.\d+)?))?\s*(Z|[+-]\d\d:?\d\d)?$/i.exec(text);
  const date = isNumber
    ? new Date(Number(text))
    : iso
      ? new Date(`${iso[1]}T${iso[2] ?? "00:00"}${iso[3]?.toUpperCase() ?? "Z"}`)
      : new Date(/[a-z]{3}.*\d{4}/i.test(text) ? text : Number.NaN);
  // JavaScript would accept February 30 as March 1.
  if (iso && new Date(`${iso[1]}T00:00Z`).getUTCDate() !== Number(iso[1]?.slice(8))) return undefined;
  const year = date.getUTCFullYear();
  return year >= 1 && year <= 9999 ? date : undefined;
}

export const day = (date: Date): string => date.toISOString().slice(0, 10);

/** Returns `3 pages` or `1 page`. */
export const countText = (number: number, one: string, many = `${one}s`): string =>
  `${number.toLocaleString("en")} ${number === 1 ? one : many}`;

/** Shortens a text for a report: one line. */
export const short = (text: string, maxLength = 200): string => {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > maxLength ? `${line.slice(0, maxLength).toWellFormed()}…` : line;
};
