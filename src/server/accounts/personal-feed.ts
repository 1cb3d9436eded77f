import type { z } from "zod";
import type { OwnFeed, ShowFeed } from "../../shared/users.ts";
import { verifyOwnPassword } from "../auth/own-password.ts";
import { isSigned, sign } from "../auth/signatures.ts";
import type { MemberContext } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { reportToSettings } from "./access-report.ts";
import { ownAccount } from "./own-account.ts";
import { renewFeedAddress, userById, type UserRow } from "../profiles/queries.ts";

const purpose = "own feed";
/** Nothing secret is stored; renewing invalidates older signatures. */
const signedOf = ({ id, feedRenewals }: Pick<UserRow, "id" | "feedRenewals">) => `${id} ${feedRenewals}`;
const idLength = 32;

/** Returns the secret part of the feed's address. */
const keyOf = async (connection: Connection, user: UserRow): Promise<string> =>
  user.id.replaceAll("-", "") + (await sign(connection, purpose, signedOf(user)));

/**
 * Returns the address of the viewer's personal feed, without its file name, for the password if there is one. `renew` replaces
 * it first.
 */
export async function ownFeed(
  ctx: MemberContext,
  { password, renew }: z.output<typeof ShowFeed>,
): Promise<OwnFeed> {
  const user = await ownAccount(ctx);
  if (user.passwordHash !== null) await verifyOwnPassword(ctx, user, password);
  if (renew) {
    await ctx.limits.take("access", user.id);
    await ctx.database.write(async (tx) => {
      await renewFeedAddress(tx, user.id);
      await reportToSettings(tx, ctx, user.id);
    });
  }
  const now = await ownAccount(ctx);
  return {
    address: `${ctx.config.publicUrl}/following/${await keyOf(ctx.database.read, now)}`,
    renewals: now.feedRenewals,
  };
}

/** Returns the owner of a feed key; undefined if it is invalid. */
export async function feedOwner(connection: Connection, key: string): Promise<UserRow | undefined> {
  const id = key.slice(0, idLength).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  const user = await userById(connection, id);
  // Also without a person, so that the time reveals nothing.
  const isValid = await isSigned(
    connection,
    purpose,
    signedOf(user ?? { id, feedRenewals: 0 }),
    key.slice(idLength),
  );
  return isValid && user && user.verifiedAt !== null && user.suspendedAt === null ? user : undefined;
}
