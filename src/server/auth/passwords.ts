import { hash, verify, type Options } from "@node-rs/argon2";

/** argon2id with the parameters OWASP recommends (Password Storage Cheat Sheet): 19 MiB, two passes, one lane. */
// The library's default algorithm is argon2id; its constants are no values that erasable types could import.
const options: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const hashPassword = (password: string): Promise<string> => hash(password.normalize("NFKC"), options);

let decoy: Promise<string> | undefined;

/** Whether the password is right. Takes as long where there is no account or no password, so that the time tells nothing. */
export async function isPassword(
  passwordHash: string | null | undefined,
  password: string,
): Promise<boolean> {
  const right = await verify(
    passwordHash ?? (await (decoy ??= hashPassword("no account has this password"))),
    password.normalize("NFKC"),
  );
  return right && passwordHash !== null && passwordHash !== undefined;
}
