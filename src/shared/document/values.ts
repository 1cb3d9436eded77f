import { safeColor } from "./colors.ts";
import { RefusedValue } from "./document-error.ts";
import { documentLimits as limits } from "./limits.ts";
import { isOwnPath } from "./own-links.ts";

/** Returns the URL if allowed in a link (http, https, mailto, tel), else null. Idempotent. */
export function safeLink(value: unknown): string | null {
  const address = cleanAddress(value);
  if (!address) return null;
  if (/^(?:mailto|tel):[^\s]+$/i.test(address)) return address;
  return isWebAddress(address) ? address : null;
}

/** Returns the URL if allowed in a picture, else null: a path of our media store, or an absolute http(s) URL. */
export function safeImageSource(value: unknown): string | null {
  const address = cleanAddress(value);
  if (!address) return null;
  if (/^\/media(?:\/[\w~-][\w.~-]*)+$/.test(address)) return address;
  return isWebAddress(address) ? address : null;
}

/** Returns the stored name, from `rust,ignore`, `Rust` or `language-rust`; else null. */
export function codeLanguage(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const first =
    value
      .trim()
      .toLowerCase()
      .split(/[\s,;{]/, 1)[0] ?? "";
  const language = first.replace(/^(?:(?:language|lang)-)+/, "");
  if (language === "plain" || language === "plaintext" || language === "text") return null;
  return /^[a-z0-9][a-z0-9+#._-]{0,39}$/.test(language) ? language : null;
}

/** Removes control characters, byte order marks and lone surrogates. */
export function cleanText(value: string, code: boolean): string {
  // oxlint-disable-next-line no-control-regex -- those are what it is about
  const text = value.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufeff]/g, "");
  return code ? text.replace(/\r\n?/g, "\n") : text.replace(/\r\n?|\n/g, " ");
}

/** Returns clean text on one line, cut to `length`. */
export function cleanLabel(value: unknown, length: number): string {
  if (typeof value !== "string") return "";
  return cleanText(value.slice(0, length * 2), false)
    .slice(0, length)
    .toWellFormed();
}

export function isLink(value: unknown): void {
  if (value === null || (safeLink(value) !== value && !isOwnPath(value)))
    throw new RefusedValue(
      "This text has a link that is not allowed: links may begin with https:, http:, mailto: or tel:.",
    );
}

export function isImageSource(value: unknown): void {
  if (value === null || safeImageSource(value) !== value)
    throw new RefusedValue(
      "This text has a picture from a place that is not allowed: upload it, or give its full https address.",
    );
}

export function isColor(value: unknown): void {
  if (value === null || safeColor(value) !== value)
    throw new RefusedValue("This text has a colour that is not one: colours look like #aabbcc.");
}

export function isLanguageOrNull(value: unknown): void {
  if (value !== null && codeLanguage(value) !== value)
    throw new RefusedValue("This text has a code block in a language whose name is not allowed.");
}

export function isLabel(length: number): (value: unknown) => void {
  return (value) => {
    if (typeof value !== "string" || cleanLabel(value, length) !== value)
      throw new RefusedValue(
        `This text has a description or title that is longer than ${length} characters or not plain text.`,
      );
  };
}

export function isLabelOrNull(length: number): (value: unknown) => void {
  const check = isLabel(length);
  return (value) => (value === null ? undefined : check(value));
}

export function isWhole(min: number, max: number): (value: unknown) => void {
  return (value) => {
    if (!isWholeBetween(value, min, max))
      throw new RefusedValue(`This text has a number that is not between ${min} and ${max}.`);
  };
}

export function isWholeOrNull(min: number, max: number): (value: unknown) => void {
  const check = isWhole(min, max);
  return (value) => (value === null ? undefined : check(value));
}

export function isOneOf(...allowed: (string | boolean | null)[]): (value: unknown) => void {
  return (value) => {
    if (!allowed.includes(value as string | boolean | null))
      throw new RefusedValue("This text has a style this site does not know.");
  };
}

export function isWholeBetween(value: unknown, min: number, max: number): value is number {
  return (
    Number.isInteger(value) && (value as number) >= min && (value as number) <= max && !Object.is(value, -0)
  );
}

// Browsers ignore tabs and line breaks in a URL and spaces around it: `java\nscript:` is checked as they see it.
function cleanAddress(value: unknown): string | null {
  if (typeof value !== "string" || value.length > limits.address * 2 || !value.isWellFormed()) return null;
  const address = value
    .replace(/[\t\n\r]/g, "")
    // oxlint-disable-next-line no-control-regex -- as the URL standard has it
    .replace(/^[\u0000-\u0020]+|[\u0000-\u0020]+$/g, "")
    .replaceAll(" ", "%20");
  // oxlint-disable-next-line no-control-regex
  if (!address || address.length > limits.address || /[\u0000-\u001f\u007f-\u009f\ufeff]/.test(address))
    return null;
  return address;
}

// Refuses a username before the host (`https://bank.example@evil.example`), which only serves to deceive.
function isWebAddress(address: string): boolean {
  return /^https?:\/\/[^/\\@?#]+(?:[/?#]|$)/i.test(address) && URL.canParse(address);
}
