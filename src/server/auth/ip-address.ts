import { isIPv6 } from "node:net";

/** Returns an IPv6 address in its shortest form, or as IPv4 if it is mapped; other texts unchanged. */
export function normalizeAddress(text: string): string {
  if (!isIPv6(text) || text.includes("%")) return text;
  const shortForm = new URL(`http://[${text}]`).hostname.slice(1, -1);
  const groups = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(shortForm)?.slice(1);
  return groups
    ? groups.flatMap((half) => [Number.parseInt(half, 16) >> 8, Number.parseInt(half, 16) & 255]).join(".")
    : shortForm;
}

/** Returns the eight groups of an IPv6 address in its shortest form. */
export function ipv6Groups(shortForm: string): string[] {
  const [before = [], after] = shortForm.split("::").map((part) => part.split(":").filter(Boolean));
  const zeros = after ? Array.from({ length: 8 - before.length - after.length }, () => "0") : [];
  return [...before, ...zeros, ...(after ?? [])];
}

/** Returns the first address of a normalized address's network. */
export function networkOf(normalized: string, bits: number): string {
  const isLong = isIPv6(normalized);
  const [radix, size] = isLong ? [16, 16] : [10, 8];
  const parts = isLong ? ipv6Groups(normalized) : normalized.split(".");
  const maskedParts = parts.map((part, at) => {
    const free = Math.min(size, Math.max(0, (at + 1) * size - bits));
    return ((Number.parseInt(part, radix) >> free) << free).toString(radix);
  });
  return isLong ? normalizeAddress(maskedParts.join(":")) : maskedParts.join(".");
}
