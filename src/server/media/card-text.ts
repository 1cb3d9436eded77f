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

/** Signs without a glyph, and the sign that replaces them. */
const substitutes = new Map(
  Object.entries({
    "→": "➔➙➛➜➝➞➟➠➡➤⇨⭢🡒",
    "←": "⬅⇦⭠🡐",
    "↑": "⬆⇧⭡🡑",
    "↓": "⬇⇩⭣🡓",
    "–": "‒",
    "—": "―⸺",
    "‘": "‛ʻʽ",
    "“": "‟「『《〈",
    "”": "」』》〉",
    "·": "‧・",
    "-": "⁃",
  }).flatMap(([substitute, signs]) => [...signs].map((sign) => [sign, substitute] as const)),
);

/** Placeholders in a text: a dropped sign, and a letter or digit that no font has. */
const [dropped, unknown] = ["\u{e000}", "\u{e001}"];

/** Returns how a character is rendered: as it is, by a plain equivalent, or as a placeholder. */
function renderableCharacter(character: string): string {
  if (hasGlyph(character)) return character;
  const substitute = substitutes.get(character);
  if (substitute !== undefined) return substitute;
  if (/\p{M}/u.test(character)) return "";
  // "④" becomes "4", and "ἀ" becomes "α".
  const parts = [...character.normalize("NFKD")];
  if (/[\p{S}\p{P}]|\p{Extended_Pictographic}/u.test(character)) {
    const isEmoji = /(?!\p{P})\p{Extended_Pictographic}/u.test(character);
    return !isEmoji && parts.every(hasGlyph) ? parts.join("") : dropped;
  }
  const letters = parts.filter((part) => hasGlyph(part) || !/\p{M}/u.test(part));
  return letters.every(hasGlyph) ? letters.filter(hasGlyph).join("") : unknown;
}

/** Returns a text with placeholders. */
function withPlaceholders(text: string): string {
  const characters = text
    .normalize("NFC")
    // Invisible, except that joiners select the shape of Arabic letters.
    .replace(/(?<!\p{Script=Arabic})\p{Cf}|\p{Cf}(?!\p{Script=Arabic})|[^\P{Cf}\u{200c}\u{200d}]/gu, "")
    .replace(/[\s\p{Cc}\p{Cs}\p{Co}\p{Cn}]+/gu, " ");
  return [...characters].map(renderableCharacter).join("");
}

/** Removes placeholders of signs, also their brackets. Returns an empty text if only signs remain. */
function withoutDropped(text: string): string {
  if (!text.includes(dropped)) return text.trim();
  const rest = text
    .replace(/[([{“"«][ \u{e000}]*\u{e000}[ \u{e000}]*[)\]}”"»]/gu, dropped)
    .replace(/ +(?=\u{e000}+[,.;:!?])/gu, "")
    .replace(/(?<=[\p{L}\p{M}\p{N}])\u{e000}+(?=[\p{L}\p{N}])/gu, " ")
    .replaceAll(dropped, "")
    .replace(/ +/g, " ")
    .trim();
  return /[\p{L}\p{N}\u{e001}]/u.test(rest) ? rest : "";
}

/** Returns a text with plain equivalents of signs or without them; empty when the fonts lack a letter. */
export function renderableText(text: string): string {
  const rest = withoutDropped(withPlaceholders(text));
  return rest.includes(unknown) ? "" : rest;
}

/** A word that contains a letter without a glyph. */
const unknownWord = /[\p{L}\p{M}\p{N}\u{e001}]*\u{e001}[\p{L}\p{M}\p{N}\u{e001}]*/gu;

/**
 * Like `renderableText`, with an ellipsis for words that the fonts cannot render, if they have at most a third of the letters.
 * What remains of others is misleading.
 */
export function renderableTitle(title: string): string {
  const rest = withoutDropped(withPlaceholders(title));
  const unknownCount = lettersIn(rest.match(unknownWord)?.join("") ?? "");
  if (unknownCount * 2 > lettersIn(rest) - unknownCount) return "";
  return rest
    .replace(unknownWord, unknown)
    .replace(/\u{e001}[ \p{P}]*\u{e001}[\p{Pe}\p{Pf}]*/gu, unknown)
    .replace(/^[ \p{P}]*\u{e001}[ \p{P}]*/u, `${unknown} `)
    .replaceAll(unknown, "…")
    .trim();
}

const lettersIn = (text: string): number => text.match(/[\p{L}\p{N}\u{e001}]/gu)?.length ?? 0;
