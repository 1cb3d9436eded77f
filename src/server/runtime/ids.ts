import { hash, randomBytes, randomUUID } from "node:crypto";

/** Returns a UUID of version 7 (RFC 9562), sorted by time so that indexes grow at their end. */
export function newId(now = Date.now()): string {
  const random = randomUUID();
  const timestamp = now.toString(16).padStart(12, "0");
  return `${timestamp.slice(0, 8)}-${timestamp.slice(8, 12)}-7${random.slice(15)}`;
}

/** Returns a text's stable id: a UUID of version 8 from its hash. */
export function idOf(text: string): string {
  const hex = hash("sha256", text);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Returns a text's stable id, sorted by `at`, then `order`. */
export function idInOrder(at: number, order: number, text: string): string {
  const timestamp = at.toString(16).padStart(12, "0");
  const place = Math.min(order, 0xfff).toString(16).padStart(3, "0");
  const hex = hash("sha256", text);
  return `${timestamp.slice(0, 8)}-${timestamp.slice(8, 12)}-7${place}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Returns a secret: 32 random bytes in base64url. */
export const newSecret = (): string => randomBytes(32).toString("base64url");

/** Secrets are stored as hashes. */
export const hashSecret = (secret: string): string => hash("sha256", secret);

const letters = "abcdefghijkmnpqrstuvwxyz23456789";
/** Returns random characters without ones that look alike. */
export const shortRandom = (length: number): string =>
  Array.from(randomBytes(length), (byte) => letters[byte % letters.length]).join("");
