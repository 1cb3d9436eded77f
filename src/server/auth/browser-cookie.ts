import { limits } from "../../shared/limits.ts";
import { hashSecret } from "../runtime/ids.ts";
import { readCookie, writeCookie } from "./cookies.ts";

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
