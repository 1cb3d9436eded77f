import { availableParallelism } from "node:os";
import { hash, verify, type Options } from "@node-rs/argon2";
import { AppError } from "../../shared/errors.ts";
import { limitConcurrency } from "../runtime/concurrency.ts";
import { createRequire } from "node:module";
import { limits } from "../../shared/limits.ts";

/** argon2id as recommended by OWASP (Password Storage Cheat Sheet): 19 MiB, two passes, one lane. */
// argon2id is the library's default; its const enum cannot be imported where types are erased.
const options: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Leaves one core to the main thread. File reads use the same threads. */
const limitToCores = limitConcurrency(Math.min(2, Math.max(1, availableParallelism() - 1)));

/** Throws `unavailable` if too many calls wait. */
export const hashPassword = (password: string): Promise<string> =>
  limitToCores(() => hash(password.normalize("NFKC"), options));

let dummyHash: Promise<string> | undefined;

/**
 * Returns whether the password is right, in the same time without an account or password. Throws `unavailable` if too many
 * calls wait.
 */
export async function verifyPassword(
  passwordHash: string | null | undefined,
  password: string,
): Promise<boolean> {
  const expectedHash = passwordHash ?? (await (dummyHash ??= hash("no account has this password", options)));
  const isMatch = await limitToCores(() => verify(expectedHash, password.normalize("NFKC")));
  return isMatch && passwordHash !== null && passwordHash !== undefined;
}

/** Throws `bad_request` for one of the most common passwords. */
export function rejectCommonPassword(password: string): void {
  if (isCommonPassword(password))
    throw new AppError("bad_request", "That password is too common. Please choose another one.", {
      field: "password",
    });
}

/** Throws `bad_request` for a password that is little more than the person's name, username or address. */
export function rejectPersonalPassword(
  password: string,
  { name, username, email }: { name: string; username?: string; email: string },
): void {
  const [local = ""] = email.split("@");
  const personalWords = [name, username ?? "", email, local, ...`${name} ${email}`.split(/[\s@.+_-]+/)]
    .map(simplify)
    .filter((word) => word.length >= 3)
    .sort((a, b) => b.length - a.length);
  const simplified = simplify(password);
  const remainder = personalWords.reduce((text, word) => text.replaceAll(word, ""), simplified);
  if (remainder.length < simplified.length && remainder.length < 4)
    throw new AppError(
      "bad_request",
      "That password contains your name or address. Please choose another one.",
      { field: "password" },
    );
}

const simplify = (text: string) =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

const load = createRequire(import.meta.url);
let common: ReadonlySet<string> | undefined;

/**
 * Returns whether a password is among the 18,000 most common of sufficient length
 * (docs/decisions/0012-accounts-sessions-and-two-factor.md).
 */
export function isCommonPassword(password: string): boolean {
  common ??= readList();
  return common.has(password.normalize("NFKC").toLowerCase());
}

/** Loads the list on first use: it takes 50 ms and 7 MB. */
function readList(): Set<string> {
  const { dictionary } = load("@zxcvbn-ts/language-common") as typeof import("@zxcvbn-ts/language-common");
  return new Set(dictionary["passwords-common"].filter((password) => password.length >= limits.password.min));
}
