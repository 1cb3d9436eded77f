/** Returns what the part of an address behind its # names; null where there is no such element. */
export function elementAt(hash: string): HTMLElement | null {
  const name = hash.slice(1);
  try {
    return document.getElementById(decodeURIComponent(name));
  } catch {
    // "#100%" is no way to write anything else.
    return document.getElementById(name);
  }
}
