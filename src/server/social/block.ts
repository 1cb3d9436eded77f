import type { z } from "zod";
import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import type { Block, BlockedPeople } from "../../shared/social.ts";
import { endTiesBetween } from "./authors.ts";
import type { MemberContext } from "../context.ts";
import type { Transaction } from "../database/writer.ts";
import { userTopic } from "../live/stored-events.ts";
import { blocksTopic } from "../live/signals.ts";
import { knownUser } from "../users/access.ts";
import { presentPerson } from "../users/present.ts";
import { countBlocked, listBlocked, removeBlock, insertBlock, blockBetween } from "../users/block-queries.ts";
import { takeRejected } from "./queries.ts";
import { stop } from "./service.ts";

/**
 * Blocks or unblocks a person. A block hides each from the other and ends for good what one followed of the other. Throws
 * `not_found` for a person who is hidden from the viewer, so that trying does not show who has blocked them.
 */
export async function block(
  ctx: MemberContext,
  { userId, blocked }: z.output<typeof Block>,
): Promise<{ blocked: boolean; message: string }> {
  if (userId === ctx.viewer.id) throw new AppError("bad_request", "You can’t block yourself.");
  await ctx.limits.take("block", ctx.viewer.id);
  return ctx.database.write(async (tx) => {
    const { own } = await blockBetween(tx, ctx.viewer.id, userId);
    if (blocked && !own) await insert(tx, ctx, userId);
    if (!blocked && own) await removeBlock(tx, ctx.viewer.id, userId);
    if (blocked !== own) await publishToBoth(tx, ctx.viewer.id, userId);
    return { blocked, message: blocked ? "Blocked." : "Unblocked." };
  });
}

async function insert(tx: Transaction, { viewer }: MemberContext, userId: string): Promise<void> {
  await knownUser(tx, viewer, { id: userId });
  if ((await countBlocked(tx, viewer.id)) >= limits.people.most)
    throw new AppError(
      "bad_request",
      `You have blocked ${limits.people.most.toLocaleString("en")} people, which is the most there can be. Unblock someone first.`,
    );
  for (const [one, other] of [
    [viewer.id, userId],
    [userId, viewer.id],
  ] as const) {
    await takeRejected(tx, one, other, 0);
    await stop(tx, one, other);
  }
  await endTiesBetween(tx, viewer.id, userId);
  await insertBlock(tx, viewer.id, userId, Date.now());
}

/** Has open pages of both refetch everything, as after a lost connection: neither learns of whom the event is. */
async function publishToBoth(tx: Transaction, ...ids: string[]): Promise<void> {
  for (const id of ids) {
    await tx.emit(userTopic(id), { kind: "viewer.blocksChanged" });
    tx.signal(blocksTopic(id));
  }
}

/** Returns whom the viewer has blocked, the newest first. */
export async function blockedPeople(ctx: MemberContext): Promise<BlockedPeople> {
  const rows = await listBlocked(ctx.database.read, ctx.viewer.id, limits.people.most);
  return { people: rows.map(presentPerson) };
}
