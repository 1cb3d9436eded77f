/** Plain text, a URL, or a mention. */
export interface TextSegment {
  text: string;
  href?: string;
  username?: string;
}

const address =
  /\b(?:https?:\/\/|www\.)[^\s<>"'`\u0000-\u0020\u007f\u200b-\u200f\u2028-\u202f\u2066-\u2069]+/giu;

/**
 * Finds URLs: only http and https, with a host that has a dot, is localhost or an IPv6 address in the browser's parser. Closing
 * punctuation stays outside.
 */
export function linkify(text: string): TextSegment[] {
  const segments: TextSegment[] = [];
  let end = 0;
  for (const match of text.matchAll(address)) {
    const found = withoutPunctuation(match[0]);
    const href = safeHref(found);
    if (!href) continue;
    if (match.index > end) segments.push({ text: text.slice(end, match.index) });
    segments.push({ text: found, href });
    end = match.index + found.length;
  }
  if (end < text.length) segments.push({ text: text.slice(end) });
  return segments;
}

/** Removes trailing punctuation; a closing bracket stays if it was opened inside the URL. */
function withoutPunctuation(found: string): string {
  const balance = new Map(["(", ")", "[", "]", "{", "}"].map((sign) => [sign, 0]));
  for (const sign of found) if (balance.has(sign)) balance.set(sign, (balance.get(sign) ?? 0) + 1);
  let end = found.length;
  for (; end > 0; end--) {
    const last = found[end - 1] ?? "";
    if (/[.,:;!?*_~…]/.test(last)) continue;
    const opening = { ")": "(", "]": "[", "}": "{" }[last];
    const closings = balance.get(last) ?? 0;
    if (!opening || closings <= (balance.get(opening) ?? 0)) break;
    balance.set(last, closings - 1);
  }
  return found.slice(0, end);
}

function safeHref(found: string): string | undefined {
  const text = /^www\./i.test(found) ? `https://${found}` : found;
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if ((url.protocol !== "https:" && url.protocol !== "http:") || url.username || url.password)
    return undefined;
  return url.hostname.includes(".") || url.hostname === "localhost" || url.hostname.startsWith("[")
    ? url.href
    : undefined;
}
