import type { z } from "zod";
import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import type { Block, BlockedPeople } from "../../shared/social.ts";
import { endTiesBetween } from "./authors.ts";
import type { MemberContext } from "../context.ts";
import type { Transaction } from "../database/writer.ts";
import { userTopic, wallsTopic } from "../live/facts.ts";
import { knownUser } from "../users/access.ts";
import { presentPerson } from "../users/present.ts";
import { countBlocked, listBlocked, lowerWall, raiseWall, wallBetween } from "../users/wall-queries.ts";
import { takeRejected } from "./queries.ts";
import { stop } from "./service.ts";

/**
 * Blocks somebody, or takes that back. From then on neither is there for the other; what one followed of the other has ended
 * for good. Throws `not_found` where there is nobody, or nobody for the viewer: whoever was blocked learns nothing by trying.
 */
export async function block(
  ctx: MemberContext,
  { userId, blocked }: z.output<typeof Block>,
): Promise<{ blocked: boolean; message: string }> {
  if (userId === ctx.viewer.id) throw new AppError("bad_request", "You can’t block yourself.");
  await ctx.limits.take("block", ctx.viewer.id);
  return ctx.database.write(async (tx) => {
    const { own } = await wallBetween(tx, ctx.viewer.id, userId);
    if (blocked && !own) await raise(tx, ctx, userId);
    if (!blocked && own) await lowerWall(tx, ctx.viewer.id, userId);
    if (blocked !== own) await tellBoth(tx, ctx.viewer.id, userId);
    return { blocked, message: blocked ? "They are blocked." : "They are no longer blocked." };
  });
}

async function raise(tx: Transaction, { viewer }: MemberContext, userId: string): Promise<void> {
  await knownUser(tx, viewer, { id: userId });
  if ((await countBlocked(tx, viewer.id)) >= limits.people.most)
    throw new AppError(
      "bad_request",
      `You have blocked ${limits.people.most.toLocaleString("en")} people, which is as many as there may be. Unblock somebody first.`,
    );
  for (const [one, other] of [
    [viewer.id, userId],
    [userId, viewer.id],
  ] as const) {
    await takeRejected(tx, one, other, 0);
    await stop(tx, one, other);
  }
  await endTiesBetween(tx, viewer.id, userId);
  await raiseWall(tx, viewer.id, userId, Date.now());
}

/** Open pages of both ask anew for all that they show, each as if its line had been cut: neither is told of the other. */
async function tellBoth(tx: Transaction, ...ids: string[]): Promise<void> {
  for (const id of ids) {
    await tx.fact(userTopic(id), { kind: "own.walls" });
    tx.ring(wallsTopic(id));
  }
}

/** Whom the viewer has blocked, the newest first. */
export async function blockedPeople(ctx: MemberContext): Promise<BlockedPeople> {
  const rows = await listBlocked(ctx.database.read, ctx.viewer.id, limits.people.most);
  return { people: rows.map(presentPerson) };
}
