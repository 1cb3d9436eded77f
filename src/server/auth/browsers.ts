import { limits } from "../../shared/limits.ts";
import { hashSecret } from "../ids.ts";
import { readCookie, writeCookie } from "./cookies.ts";

const nameOf = (https: boolean): string => (https ? "__Host-browser" : "browser");

/** What a browser is known by once it has signed in, from its `Cookie` header. It signs nobody in. */
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

/** What the store keeps of a browser for one of its accounts: it gives away neither the cookie nor who shares a browser. */
export const browserHash = (secret: string, userId: string): string => hashSecret(`${userId} ${secret}`);
