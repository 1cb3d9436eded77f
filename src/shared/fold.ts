// eslint-disable-next-line no-control-regex
const ascii = /^[\u0000-\u007f]*$/;
export const isAscii = (text: string): boolean => ascii.test(text);

/** Of Latin, Greek and Cyrillic letters, Hebrew points and Arabic vowels. In other scripts a mark makes another letter. */
const marks = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670]|\u0640/g;
/** й, ў, ї, ѓ and ќ are letters of their own, unlike ё. */
const cyrillicLetters = /[иу]\u0306|і\u0308|[гк]\u0301/g;
const plainLetters: Record<string, string> = {
  ß: "ss",
  ø: "o",
  ł: "l",
  œ: "oe",
  æ: "ae",
  đ: "d",
  ð: "d",
  þ: "th",
  ħ: "h",
  ı: "i",
  ς: "σ",
  "’": "'",
};
const special = new RegExp(`[${Object.keys(plainLetters).join("")}]`, "g");

/** Returns a text for comparing, in its own script: without capitals, marks and ligatures. `Łódź` is `lodz`, `Αθήνα` `αθηνα`. */
export const fold = (text: string): string =>
  isAscii(text)
    ? text.toLowerCase()
    : text
        .normalize("NFKD")
        .toLowerCase()
        .replace(cyrillicLetters, (letter) => letter.normalize("NFC"))
        .replace(marks, "")
        .replace(special, (letter) => plainLetters[letter]!)
        .normalize("NFC");
