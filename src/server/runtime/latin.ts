import { createRequire } from "node:module";

const load = createRequire(import.meta.url);

/** Returns a text of any script in Latin letters, with few marks left. */
export function latinOf(text: string): string {
  const normalized = text
    .normalize("NFKD")
    .replace(/ß/g, "ss")
    // In other scripts a mark makes another letter.
    .replace(/(\p{Script=Latin})[\u0300-\u036f]+/gu, "$1")
    .normalize("NFC");
  if (!/[^\0-\x7f]/.test(normalized)) return normalized;
  // Its tables take 20 MB: loaded only for letters that are not Latin.
  const { transliterate } = load("transliteration") as typeof import("transliteration");
  return transliterate(normalized).replace(/[`ʼ]/g, "");
}
