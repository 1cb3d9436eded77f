import { Secret, TOTP } from "otpauth";
import type { AppSetup } from "../../shared/users.ts";
import type { Connection } from "../database/connection.ts";
import { seal, unseal } from "../database/site-secret.ts";
import { hashSecret, shortRandom } from "../ids.ts";

const seconds = 30;
/** So many half minutes a clock may be wrong. */
const tolerance = 1;

/** A new secret, in base32. */
export const newAppSecret = (): string => new Secret({ size: 20 }).base32;

const appOf = (secret: string, issuer = "", label = "account"): TOTP =>
  new TOTP({ issuer, label, secret: Secret.fromBase32(secret), period: seconds });

export const appSetup = (secret: string, { issuer, label }: { issuer: string; label: string }): AppSetup => ({
  secret,
  uri: appOf(secret, issuer, label).toString(),
});

const purposeOf = (userId: string): string => `authenticator ${userId}`;

/** An app's secret as the store keeps it. */
export const sealSecret = (connection: Connection, userId: string, secret: string): Promise<string> =>
  seal(connection, purposeOf(userId), secret);

/** The half minute whose code this is, counted since 1970; undefined where it is none of now. */
export async function stepOfCode(
  connection: Connection,
  app: { userId: string; secret: string },
  code: string,
  now: number,
): Promise<number | undefined> {
  if (!isAppCode(code)) return undefined;
  const secret = await unseal(connection, purposeOf(app.userId), app.secret);
  const delta = appOf(secret).validate({ token: bare(code), timestamp: now, window: tolerance });
  return delta === null ? undefined : Math.floor(now / 1000 / seconds) + delta;
}

/** As an app shows it: six digits, whatever stands between them. */
export const isAppCode = (typed: string): boolean => /^\d{6}$/.test(bare(typed));

/** A code without what people put between its groups. */
export const bare = (typed: string): string => typed.replace(/[\s-]/g, "").toLowerCase();

/** Sixteen letters and digits in groups: more than anybody guesses, few enough to be typed. */
export const newRecoveryCode = (): string => Array.from({ length: 4 }, () => shortRandom(4)).join("-");

/** What the store keeps of a recovery code. */
export const recoveryHash = (userId: string, code: string): string =>
  hashSecret(`recovery ${userId} ${bare(code)}`);
