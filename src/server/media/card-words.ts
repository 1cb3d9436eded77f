import { readFileSync } from "node:fs";
import path from "node:path";

/** The faces that cards are drawn with: beside this file, and beside what the build makes of it. */
export const cardType = path.join(import.meta.dirname, "card-type");

/** Read at the start: pages are drawn also where no more files can be opened. */
const known = JSON.parse(readFileSync(path.join(cardType, "letters.json"), "utf8")) as [
  from: number,
  to: number,
][];

function isDrawable(letter: string): boolean {
  const code = letter.codePointAt(0)!;
  return known.some(([from, to]) => from <= code && code <= to);
}

/** Pictures among letters, with what joins and colours them. */
const emoji =
  /\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}|\u{fe0e}|\u{fe0f}|\u{200d}|\u{20e3}|[\u{e0020}-\u{e007f}]/gu;

/** A text as a card can show it: without emoji, and empty where there is no face for one of its letters, which would be a box. */
export function drawable(text: string): string {
  // © and ™ are letters of every face.
  const words = text
    .replace(emoji, (one) => (isDrawable(one) && one > "\u{7f}" && one < "\u{2200}" ? one : ""))
    .replace(/[\s\p{C}]+/gu, " ")
    .trim();
  return [...words].every(isDrawable) ? words : "";
}
