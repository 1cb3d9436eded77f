import { isIPv6 } from "node:net";

/** An IPv6 address in its shortest form, and as IPv4 where it stands for one. */
export function plainAddress(text: string): string {
  if (!isIPv6(text) || text.includes("%")) return text;
  const short = new URL(`http://[${text}]`).hostname.slice(1, -1);
  const halves = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(short)?.slice(1);
  return halves
    ? halves.flatMap((half) => [Number.parseInt(half, 16) >> 8, Number.parseInt(half, 16) & 255]).join(".")
    : short;
}

/** The eight groups of an IPv6 address in its shortest form. */
export function groupsOf(short: string): string[] {
  const [before = [], after] = short.split("::").map((part) => part.split(":").filter(Boolean));
  const between = after ? Array.from({ length: 8 - before.length - after.length }, () => "0") : [];
  return [...before, ...between, ...(after ?? [])];
}

/** The first address of the network that a plain one is in, of so many bits. */
export function networkOf(plain: string, bits: number): string {
  const isLong = isIPv6(plain);
  const [radix, size] = isLong ? [16, 16] : [10, 8];
  const parts = isLong ? groupsOf(plain) : plain.split(".");
  const masked = parts.map((part, at) => {
    const free = Math.min(size, Math.max(0, (at + 1) * size - bits));
    return ((Number.parseInt(part, radix) >> free) << free).toString(radix);
  });
  return isLong ? plainAddress(masked.join(":")) : masked.join(".");
}
