import { decodeUri } from "../../shared/decode-uri.ts";

/** Returns the element that a fragment (`#…`) names, or null. */
export function elementAt(hash: string): HTMLElement | null {
  const name = hash.slice(1);
  // "#100%" cannot be decoded.
  return document.getElementById(decodeUri(name) ?? name);
}
