import { Cookie, type CookieAttributes } from "lucia";

/** In characters. */
const maxLength = 4_096;

/**
 * Returns the first cookie of this name (RFC 6265). All cookies are read here, undecoded, so that two parts of the server
 * cannot read one header differently.
 */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of (header ?? "").split(";")) {
    const equals = pair.indexOf("=");
    if (equals === -1 || pair.slice(0, equals).replace(spaces, "") !== name) continue;
    const value = pair.slice(equals + 1).replace(spaces, "");
    return value === "" || value.length > maxLength ? undefined : value;
  }
  return undefined;
}

const spaces = /^[ \t]+|[ \t]+$/g;

/** Returns a `Set-Cookie` header. The value must not need encoding. */
export const writeCookie = (name: string, value: string, attributes: CookieAttributes): string =>
  new Cookie(name, value, attributes).serialize();
