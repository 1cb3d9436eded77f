import { isSigned, signatureOf } from "../auth/signatures.ts";
import type { MemberContext } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { userTopic } from "../live/stored-events.ts";
import { ownAccount } from "./own-account.ts";
import { updateUser, userById, type UserRow } from "./queries.ts";

const purpose = "own feed";
/** What is signed: nothing secret is stored, and what was given before the last renewal is signed for nothing. */
const signedOf = ({ id, feedRenewals }: Pick<UserRow, "id" | "feedRenewals">) => `${id} ${feedRenewals}`;
const idLength = 32;

/** The part of an address that opens somebody's own feed to whoever has it. */
const keyOf = async (connection: Connection, user: UserRow): Promise<string> =>
  user.id.replaceAll("-", "") + (await signatureOf(connection, purpose, signedOf(user)));

const addressOf = async (ctx: MemberContext, user: UserRow): Promise<{ address: string }> => ({
  address: `${ctx.config.publicUrl}/following/${await keyOf(ctx.database.read, user)}`,
});

/** Where the viewer's own feed of what they follow is, without the name of its file. */
export const ownFeed = async (ctx: MemberContext): Promise<{ address: string }> =>
  addressOf(ctx, await ownAccount(ctx));

/** Gives it another address, and ends the one that it had. */
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

/** Whose feed a key opens; undefined where it opens none, any more or until now. */
export async function holderOfFeed(connection: Connection, key: string): Promise<UserRow | undefined> {
  const id = key.slice(0, idLength).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  const user = await userById(connection, id);
  // As much is done where there is nobody: how long it takes tells nothing.
  const signed = await isSigned(
    connection,
    purpose,
    signedOf(user ?? { id, feedRenewals: 0 }),
    key.slice(idLength),
  );
  return signed && user && user.verifiedAt !== null && user.suspendedAt === null ? user : undefined;
}
