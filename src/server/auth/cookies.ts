import { Cookie, type CookieAttributes } from "lucia";
import { limits } from "../../shared/limits.ts";
import { hashSecret } from "../runtime/ids.ts";

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

/** Returns the name of the cookie that remembers a browser that has signed in. */
const nameOf = (https: boolean): string => (https ? "__Host-browser" : "browser");

/** Returns the secret of a browser that has signed in before. It does not sign anyone in. */
export function browserSecret(header: string | undefined, https: boolean): string | null {
  const secret = readCookie(header, nameOf(https));
  return secret !== undefined && /^[\w-]{43}$/.test(secret) ? secret : null;
}

export const browserCookie = (secret: string, https: boolean): string =>
  writeCookie(nameOf(https), secret, {
    httpOnly: true,
    sameSite: "lax",
    secure: https,
    path: "/",
    maxAge: limits.browser.keptFor / 1000,
  });

/** Returns what is stored of a browser for an account. It reveals neither the cookie nor which accounts share a browser. */
export const browserHash = (secret: string, userId: string): string => hashSecret(`${userId} ${secret}`);
