import { availableParallelism } from "node:os";
import { hash, verify, type Options } from "@node-rs/argon2";
import { AppError } from "../../shared/errors.ts";
import { fewAtOnce } from "../turns.ts";
import { isCommonPassword } from "./common-passwords.ts";

/** argon2id with the parameters OWASP recommends (Password Storage Cheat Sheet): 19 MiB, two passes, one lane. */
// The library's default algorithm is argon2id; its constants are no values that erasable types could import.
const options: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** One core is the main thread's, whoever tries passwords; files are read by the same threads as they are. */
const withinCores = fewAtOnce(Math.min(2, Math.max(1, availableParallelism() - 1)));

/** Throws `unavailable` where too many wait. */
export const hashPassword = (password: string): Promise<string> =>
  withinCores(() => hash(password.normalize("NFKC"), options));

let decoy: Promise<string> | undefined;

/**
 * Whether the password is right. Takes as long where there is no account or no password, so that the time tells nothing.
 * Throws `unavailable` where too many wait.
 */
export async function isPassword(
  passwordHash: string | null | undefined,
  password: string,
): Promise<boolean> {
  const known = passwordHash ?? (await (decoy ??= hash("no account has this password", options)));
  const right = await withinCores(() => verify(known, password.normalize("NFKC")));
  return right && passwordHash !== null && passwordHash !== undefined;
}

/** Throws `bad_request` for a password that is guessed first: one of the commonest. */
export function refuseCommon(password: string): void {
  if (isCommonPassword(password))
    throw new AppError("bad_request", "That password is too common. Please choose another one.", {
      field: "password",
    });
}

/** Throws `bad_request` for a password that is hardly more than what others know of the person. */
export function refuseOwn(
  password: string,
  { name, username, email }: { name: string; username?: string; email: string },
): void {
  const [local = ""] = email.split("@");
  const known = [name, username ?? "", email, local, ...`${name} ${email}`.split(/[\s@.+_-]+/)]
    .map(plain)
    .filter((word) => word.length >= 3)
    .sort((one, other) => other.length - one.length);
  const whole = plain(password);
  const rest = known.reduce((left, word) => left.replaceAll(word, ""), whole);
  if (rest.length < whole.length && rest.length < 4)
    throw new AppError(
      "bad_request",
      "That password contains your name or address. Please choose another one.",
      { field: "password" },
    );
}

const plain = (text: string) =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
