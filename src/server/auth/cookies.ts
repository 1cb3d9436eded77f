import { Cookie, type CookieAttributes } from "lucia";

/** More than any cookie of ours has. */
const longest = 4_096;

/**
 * The value of a cookie in a `Cookie` header (RFC 6265): the one reader of cookies. Names and values are never decoded, so
 * that no two parts of the server can take one header for two things; of several of one name the first counts.
 */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of (header ?? "").split(";")) {
    const equals = pair.indexOf("=");
    if (equals === -1 || pair.slice(0, equals).replace(spaces, "") !== name) continue;
    const value = pair.slice(equals + 1).replace(spaces, "");
    return value === "" || value.length > longest ? undefined : value;
  }
  return undefined;
}

const spaces = /^[ \t]+|[ \t]+$/g;

/** A `Set-Cookie` header. The value must be one that no encoding changes: it comes back as it is written. */
export const writeCookie = (name: string, value: string, attributes: CookieAttributes): string =>
  new Cookie(name, value, attributes).serialize();
