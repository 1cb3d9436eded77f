import { readFileSync } from "node:fs";
import path from "node:path";

export const cardFontsFolder = path.join(import.meta.dirname, "card-type");

/** Later the process may have no file handles. */
const glyphRanges = JSON.parse(readFileSync(path.join(cardFontsFolder, "letters.json"), "utf8")) as [
  from: number,
  to: number,
][];

function hasGlyph(letter: string): boolean {
  const code = letter.codePointAt(0)!;
  return glyphRanges.some(([from, to]) => from <= code && code <= to);
}

/** Emoji with their joiners and modifiers. */
const emoji =
  /\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}|\u{fe0e}|\u{fe0f}|\u{200d}|\u{20e3}|[\u{e0020}-\u{e007f}]/gu;

/** Returns a text without emoji; empty when the fonts lack a character. */
export function renderableText(text: string): string {
  // The fonts have © and ™.
  const words = text
    .replace(emoji, (one) => (hasGlyph(one) && one > "\u{7f}" && one < "\u{2200}" ? one : ""))
    .replace(/[\s\p{C}]+/gu, " ")
    .trim();
  return [...words].every(hasGlyph) ? words : "";
}
