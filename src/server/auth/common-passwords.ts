import { dictionary } from "@zxcvbn-ts/language-common";
import { limits } from "../../shared/limits.ts";

const common = new Set(
  dictionary["passwords-common"].filter((password) => password.length >= limits.password.min),
);

/** Tells whether a password is among the 18,000 most used of those that are long enough to be taken at all (docs/decisions/0015). */
export const isCommonPassword = (password: string): boolean =>
  common.has(password.normalize("NFKC").toLowerCase());
