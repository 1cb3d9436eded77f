import { documentLimits as limits } from "./limits.ts";
import { cleanText } from "./values.ts";

/** TeX as a formula in a line of text holds it: on one line, without spaces around it; null for none and for too much. */
export function cleanTex(value: unknown): string | null {
  if (typeof value !== "string" || value.length > limits.formula) return null;
  const tex = cleanText(value, false).trim();
  return tex === "" ? null : tex;
}

/** TeX as a block holds it: without an empty line before it, nor spaces behind it. */
export const blockTex = (tex: string): string => tex.replace(/^\s*\n/, "").trimEnd();

/**
 * Whether what stands between two dollars is a formula, and not what something costs or the name of a variable. The rules of
 * Pandoc, and no words without a sign of TeX.
 */
export function isBetweenDollars(tex: string): boolean {
  if (cleanTex(tex) !== tex || /[$`\n]|\\$|<\/?[a-zA-Z][^<>]*>/.test(tex)) return false;
  if (/[-–/+,(:;]$/.test(tex)) return false;
  return !/\s/.test(tex) || /[\\^_={}<>+*/]/.test(tex) || !/\p{L}{2}/u.test(tex);
}

/** What may stand before the dollar that begins a formula; behind the one that ends it no letter and no digit may. */
export const beforeDollar = /[\s([{"'“‘„«—–:>*_~|-]/;
export const behindDollar = /[\p{L}\p{N}$]/u;
