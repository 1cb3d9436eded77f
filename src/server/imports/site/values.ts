import { isRow, list, type Row } from "../reading/values.ts";

/* What an export of ours says, as its fields are written (docs/export.md): nothing is trimmed, nothing made up. */

export const text = (value: unknown): string => (typeof value === "string" ? value : "");
export const textOrNull = (value: unknown): string | null => (typeof value === "string" ? value : null);
export const texts = (value: unknown): string[] => list(value).filter((one) => typeof one === "string");
export const isTrue = (value: unknown): boolean => value === true;

/** A time in milliseconds; null where there is none. */
export function time(value: unknown): number | null {
  const at = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}

/** The id of what is named as an account is, or as a picture's file; null where nothing is. */
export const idOf = (value: unknown): string | null => (isRow(value) ? textOrNull(value.id) : null);
export const pictureOf = (file: unknown): string | null =>
  /^media\/([0-9a-f-]{36})\.webp$/.exec(text(file))?.[1] ?? null;

/** One of these words, or the first of them. */
export const oneOf = <Word extends string>(words: readonly Word[], value: unknown): Word =>
  words.find((word) => word === value) ?? words[0]!;

export type { Row };
