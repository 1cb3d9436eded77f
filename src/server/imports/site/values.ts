import { isRow, list, type Row } from "../reading/values.ts";

/* Fields of this program's exports, exactly as written (docs/export.md). */

export const text = (value: unknown): string => (typeof value === "string" ? value : "");
export const textOrNull = (value: unknown): string | null => (typeof value === "string" ? value : null);
export const texts = (value: unknown): string[] => list(value).filter((one) => typeof one === "string");
export const isTrue = (value: unknown): boolean => value === true;

/** Returns a time in milliseconds, or null. */
export function time(value: unknown): number | null {
  const at = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}

/** Returns the ID of an account's or picture's reference, or null. */
export const idOf = (value: unknown): string | null => (isRow(value) ? textOrNull(value.id) : null);
export const pictureOf = (file: unknown): string | null =>
  /^media\/([0-9a-f-]{36})\.webp$/.exec(text(file))?.[1] ?? null;

/** Words in exports of 0.1.0, the only way from that version to this one. */
const renamed: Readonly<Record<string, string | undefined>> = {
  held: "pending-comment",
  talk: "subscription",
  hidden: "taken-down",
  talks: "subscriptions",
};

/** Returns the word that a value is, also by its name in 0.1.0; undefined for other values. */
export const wordOf = <Word extends string>(words: readonly Word[], value: unknown): Word | undefined =>
  words.find((word) => word === value) ?? words.find((word) => word === renamed[text(value)]);

/** Defaults to the first. */
export const oneOf = <Word extends string>(words: readonly Word[], value: unknown): Word =>
  wordOf(words, value) ?? words[0]!;

export type { Row };
