import "culori/css";
import { formatHex8, parse } from "culori/fn";

/** Returns `#rrggbb`, or `#rrggbbaa` if partly transparent; null if invalid or invisible. */
export function safeColor(value: unknown): string | null {
  if (typeof value !== "string" || value.length > 64) return null;
  const text = value
    .trim()
    .toLowerCase()
    .replace(/\s*!important$/, "");
  // culori accepts hex without `#`, which CSS does not.
  const color = /^[0-9a-f]+$/.test(text) ? undefined : parse(text);
  if (!color) return null;
  const hex = formatHex8(color);
  if (hex.endsWith("00")) return null;
  return hex.endsWith("ff") ? hex.slice(0, 7) : hex;
}
