/*
 * Removes invisible characters from typed text: directions, which reverse the text around them, zero-width marks, fillers,
 * tags. `allowedPatterns` match those that scripts and emoji need.
 */

const picture = String.raw`\p{Extended_Pictographic}[\ufe0e\ufe0f]?\p{Emoji_Modifier}?`;
/** Scripts that need joiners and non-joiners between letters: Persian, Sinhala, Malayalam … */
const joining = ["Arabic", "Syriac", "Nko", "Mongolian", "Devanagari", "Bengali", "Gurmukhi", "Gujarati"]
  .concat(["Oriya", "Tamil", "Telugu", "Kannada", "Malayalam", "Sinhala", "Khmer", "Myanmar", "Tibetan"])
  .map((script) => String.raw`\p{Script_Extensions=${script}}`)
  .join("");
const allowedPatterns = [
  // The flags of England, Scotland and Wales; families and professions; keycaps; letters with their joiner.
  String.raw`\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}`,
  `${picture}(?:\\u200d${picture})*`,
  String.raw`[0-9#*]\ufe0f\u20e3`,
  `(?:(?=[\\p{L}\\p{M}])[${joining}])[\\u200c\\u200d]`,
];
const invisible = String.raw`[\p{Default_Ignorable_Code_Point}\u0080-\u0084\u0086-\u009f\ufff9-\ufffb]`;
const pieces = new RegExp(`${allowedPatterns.join("|")}|(${invisible})`, "gu");

/** Returns the text without invisible characters and directions; emoji and joined letters stay whole. */
export const removeInvisible = (text: string): string =>
  text.replace(pieces, (piece, hidden: string | undefined) => (hidden === undefined ? piece : ""));

// Names have up to four accents on a letter; other scripts up to eight marks.
const accents = ["\u0300-\u036f", "\u1ab0-\u1aff", "\u1dc0-\u1dff", "\u20d0-\u20ff", "\ufe20-\ufe2f"];
const stackedMarks = new RegExp(`[${accents.join("")}]{5}|\\p{M}{9}`, "u");

/** Whether a letter has so many marks that they would cover neighbouring lines. */
export const hasStackedMarks = (text: string): boolean => stackedMarks.test(text);

// White space, format characters, and fillers that count as letters.
const blank = /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Whether any of a text is visible. */
export const hasVisibleText = (text: string): boolean => !blank.test(text);
