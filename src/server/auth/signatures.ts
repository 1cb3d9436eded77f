import { createHmac, timingSafeEqual } from "node:crypto";
import type { Connection } from "../database/connection.ts";
import { siteSecret } from "../database/site-secret.ts";

/** Returns the site's HMAC of a text for one purpose. */
export async function sign(connection: Connection, purpose: string, said: string): Promise<string> {
  return createHmac("sha256", await siteSecret(connection, purpose))
    .update(said)
    .digest("base64url");
}

export async function isSigned(
  connection: Connection,
  purpose: string,
  said: string,
  mark: string,
): Promise<boolean> {
  return isEqualConstantTime(mark, await sign(connection, purpose, said));
}

/** Compares two texts in constant time. */
export function isEqualConstantTime(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
