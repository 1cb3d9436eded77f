/** Returns the element that a fragment (`#…`) names, or null. */
export function elementAt(hash: string): HTMLElement | null {
  const name = hash.slice(1);
  try {
    return document.getElementById(decodeURIComponent(name));
  } catch {
    // "#100%" cannot be decoded.
    return document.getElementById(name);
  }
}
