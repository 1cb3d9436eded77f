import { createRequire } from "node:module";
import { limits } from "../../shared/limits.ts";

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
