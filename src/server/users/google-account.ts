import { limits } from "../../shared/limits.ts";
import { PersonName, type Viewer } from "../../shared/users.ts";
import type { GoogleIdentity } from "../auth/google.ts";
import type { Context } from "../context.ts";
import { newId } from "../ids.ts";
import { searchTopic } from "../live/facts.ts";
import * as queries from "./queries.ts";
import type { UserRow } from "./queries.ts";
import { beginSession } from "./sign-in.ts";
import { asUsername, freeUsername } from "./usernames.ts";

/**
 * Signs in whoever Google says it is: the account linked before, the one with the same address, or a new one. An account
 * that never confirmed its address loses its name and password: who gave them was not shown to be the address's owner.
 */
export async function signInWithGoogle(
  ctx: Context,
  identity: GoogleIdentity,
): Promise<{ viewer: Viewer; token: string; message: string }> {
  const user = await ctx.database.write(async (tx): Promise<UserRow> => {
    const linked = await queries.userByGoogleId(tx, identity.googleId);
    if (linked) return linked;
    const now = Date.now();
    const isAdmin = await queries.hasNoVerifiedUser(tx);
    const known = await queries.userByEmail(tx, identity.email);
    const given = PersonName.safeParse([...identity.name].slice(0, limits.name.max).join(""));
    const name = given.data ?? "Writer";
    if (known) {
      const confirmed = known.verifiedAt !== null;
      // A link of that sign-up would bring its password back.
      if (!confirmed) await queries.deleteMailTokens(tx, known.id, "verify");
      await queries.updateUser(tx, known.id, {
        googleId: identity.googleId,
        ...(confirmed ? {} : { verifiedAt: now, name, passwordHash: null, isAdmin }),
      });
    } else {
      await queries.insertUser(tx, {
        id: newId(now),
        ...asUsername(await freeUsername(tx, name, ctx.config.siteName)),
        email: identity.email,
        name,
        googleId: identity.googleId,
        isAdmin,
        verifiedAt: now,
        createdAt: now,
      });
    }
    if (!known?.verifiedAt) await tx.fact(searchTopic, { kind: "search.people" });
    return (await queries.userByEmail(tx, identity.email)) as UserRow;
  });
  return beginSession(ctx, user);
}
