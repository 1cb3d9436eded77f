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

/** Shortens a text for a report: one line. */
export const short = (text: string, maxLength = 200): string => {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > maxLength ? `${line.slice(0, maxLength).toWellFormed()}…` : line;
};
