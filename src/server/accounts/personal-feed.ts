import { isSigned, sign } from "../auth/signatures.ts";
import type { MemberContext } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { userTopic } from "../live/stored-events.ts";
import { ownAccount } from "./own-account.ts";
import { updateUser, userById, type UserRow } from "../profiles/queries.ts";

const purpose = "own feed";
/** Nothing secret is stored; renewing invalidates older signatures. */
const signedOf = ({ id, feedRenewals }: Pick<UserRow, "id" | "feedRenewals">) => `${id} ${feedRenewals}`;
const idLength = 32;

/** Returns the secret part of the feed's address. */
const keyOf = async (connection: Connection, user: UserRow): Promise<string> =>
  user.id.replaceAll("-", "") + (await sign(connection, purpose, signedOf(user)));

const addressOf = async (ctx: MemberContext, user: UserRow): Promise<{ address: string }> => ({
  address: `${ctx.config.publicUrl}/following/${await keyOf(ctx.database.read, user)}`,
});

/** Returns the address of the viewer's personal feed, without its file name. */
export const ownFeed = async (ctx: MemberContext): Promise<{ address: string }> =>
  addressOf(ctx, await ownAccount(ctx));

/** Replaces the feed's address. */
export async function renewOwnFeed(ctx: MemberContext): Promise<{ address: string }> {
  const { id } = await ownAccount(ctx);
  await ctx.limits.take("access", id);
  const user = await ctx.database.write(async (tx) => {
    const now = await userById(tx, id);
    if (!now) return undefined;
    await updateUser(tx, id, { feedRenewals: now.feedRenewals + 1 });
    await tx.emit(userTopic(id), { kind: "viewer.signInChanged" });
    return { ...now, feedRenewals: now.feedRenewals + 1 };
  });
  return addressOf(ctx, user ?? (await ownAccount(ctx)));
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
