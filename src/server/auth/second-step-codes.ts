import { Secret, TOTP } from "otpauth";
import type { AuthenticatorSetup } from "../../shared/users.ts";
import type { Connection } from "../database/connection.ts";
import { seal, unseal } from "../database/site-secret.ts";
import { hashSecret, shortRandom } from "../runtime/ids.ts";

const seconds = 30;
/** Clock tolerance in steps of 30 seconds. */
const tolerance = 1;

export const newAppSecret = (): string => new Secret({ size: 20 }).base32;

const appOf = (secret: string, issuer = "", label = "account"): TOTP =>
  new TOTP({ issuer, label, secret: Secret.fromBase32(secret), period: seconds });

export const appSetup = (
  secret: string,
  { issuer, label }: { issuer: string; label: string },
): AuthenticatorSetup => ({
  secret,
  uri: appOf(secret, issuer, label).toString(),
});

const purposeOf = (userId: string): string => `authenticator ${userId}`;

export const sealSecret = (connection: Connection, userId: string, secret: string): Promise<string> =>
  seal(connection, purposeOf(userId), secret);

/** Returns the 30-second step since 1970 whose code this is; undefined if it is not current. */
export async function timeStepOf(
  connection: Connection,
  app: { userId: string; secret: string },
  code: string,
  now: number,
): Promise<number | undefined> {
  if (!isAppCode(code)) return undefined;
  const secret = await unseal(connection, purposeOf(app.userId), app.secret);
  const delta = appOf(secret).validate({ token: normalizeCode(code), timestamp: now, window: tolerance });
  return delta === null ? undefined : Math.floor(now / 1000 / seconds) + delta;
}

/** Returns whether this is a code of six digits. */
export const isAppCode = (code: string): boolean => /^\d{6}$/.test(normalizeCode(code));

/** Lowercases a code and removes spaces and hyphens. */
export const normalizeCode = (code: string): string => code.replace(/[\s-]/g, "").toLowerCase();

/** Returns 16 random letters and digits: too long to guess, short enough to type. */
export const newRecoveryCode = (): string => Array.from({ length: 4 }, () => shortRandom(4)).join("-");

export const recoveryHash = (userId: string, code: string): string =>
  hashSecret(`recovery ${userId} ${normalizeCode(code)}`);
