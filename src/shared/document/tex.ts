import { documentLimits as limits } from "./limits.ts";
import { cleanText } from "./values.ts";

/** Returns trimmed TeX on one line; null if empty or too long. */
export function cleanTex(value: unknown): string | null {
  if (typeof value !== "string" || value.length > limits.formula) return null;
  const tex = cleanText(value, false).trim();
  return tex === "" ? null : tex;
}

/** Drops leading empty lines and trailing spaces. */
export const blockTex = (tex: string): string => tex.replace(/^\s*\n/, "").trimEnd();

/** Whether text between dollars is a formula, not prices or variable names. Pandoc's rules; words also need a TeX character. */
export function isBetweenDollars(tex: string): boolean {
  if (cleanTex(tex) !== tex || /[$`\n]|\\$|<\/?[a-zA-Z][^<>]*>/.test(tex)) return false;
  if (/[-–/+,(:;]$/.test(tex)) return false;
  return !/\s/.test(tex) || /[\\^_={}<>+*/]/.test(tex) || !/\p{L}{2}/u.test(tex);
}

/** What can precede the opening dollar, and what cannot follow the closing one. */
export const beforeDollar = /[\s([{"'“‘„«—–:>*_~|-]/;
export const behindDollar = /[\p{L}\p{N}$]/u;
