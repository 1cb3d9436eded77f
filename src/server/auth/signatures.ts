import { createHmac, timingSafeEqual } from "node:crypto";
import type { Connection } from "../database/connection.ts";
import { siteSecret } from "../database/site-secret.ts";

/** Returns the site's HMAC of a text for one purpose. */
export async function sign(connection: Connection, purpose: string, text: string): Promise<string> {
  return createHmac("sha256", await siteSecret(connection, purpose))
    .update(text)
    .digest("base64url");
}

export async function isSigned(
  connection: Connection,
  purpose: string,
  text: string,
  signature: string,
): Promise<boolean> {
  return isEqualConstantTime(signature, await sign(connection, purpose, text));
}

/** Compares two texts in constant time. */
export function isEqualConstantTime(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
