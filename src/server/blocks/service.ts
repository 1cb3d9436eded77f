import type { z } from "zod";
import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import type { Block, BlockedPeople, Mute, MutedPeople } from "../../shared/social.ts";
import { endAuthorshipsBetween } from "../authors/service.ts";
import type { MemberContext } from "../context.ts";
import type { Transaction } from "../database/writer.ts";
import { userTopic } from "../live/stored-events.ts";
import { blocksTopic } from "../live/signals.ts";
import { visibleUser } from "../profiles/access.ts";
import { presentPerson } from "../profiles/present.ts";
import { countBlocked, listBlocked, removeBlock, insertBlock, blockBetween } from "./queries.ts";
import { takeRejected } from "../follows/queries.ts";
import { endFollow } from "../follows/service.ts";
import { countMuted, listMuted, setMute } from "./mute-queries.ts";

/**
 * Blocks or unblocks a person. A block permanently ends follows between both. Throws `not_found` for a hidden person, so that
 * trying does not reveal who has blocked the viewer.
 */
export async function block(
  ctx: MemberContext,
  { userId, blocked }: z.output<typeof Block>,
): Promise<{ blocked: boolean; message: string }> {
  if (userId === ctx.viewer.id) throw new AppError("bad_request", "You can’t block yourself.");
  await ctx.limits.take("block", ctx.viewer.id);
  return ctx.database.write(async (tx) => {
    const { own: isBlocked } = await blockBetween(tx, ctx.viewer.id, userId);
    if (blocked && !isBlocked) await insert(tx, ctx, userId);
    if (!blocked && isBlocked) await removeBlock(tx, ctx.viewer.id, userId);
    if (blocked !== isBlocked) publishToBoth(tx, ctx.viewer.id, userId);
    return { blocked, message: blocked ? "Blocked." : "Unblocked." };
  });
}

async function insert(tx: Transaction, { viewer }: MemberContext, userId: string): Promise<void> {
  await visibleUser(tx, viewer, { id: userId });
  if ((await countBlocked(tx, viewer.id)) >= limits.people.most)
    throw new AppError(
      "bad_request",
      `You have blocked ${limits.people.most.toLocaleString("en")} people, which is the most there can be. Unblock someone first.`,
    );
  await storeBlock(tx, viewer.id, userId, Date.now());
}

/** Stores a block, and ends follows, requests and co-authorships between both. */
export async function storeBlock(tx: Transaction, id: string, otherId: string, at: number): Promise<void> {
  for (const [followerId, followedId] of [
    [id, otherId],
    [otherId, id],
  ] as const) {
    await takeRejected(tx, followerId, followedId, 0);
    await endFollow(tx, followerId, followedId);
  }
  await endAuthorshipsBetween(tx, id, otherId);
  await insertBlock(tx, id, otherId, at);
}

/** Has open pages of both refetch everything: the event does not reveal the other person. */
function publishToBoth(tx: Transaction, ...ids: string[]): void {
  for (const id of ids) {
    tx.emit(userTopic(id), { kind: "viewer.blocksChanged" });
    tx.signal(blocksTopic(id));
  }
}

/** Returns people the viewer has blocked, newest first. */
export async function blockedPeople(ctx: MemberContext): Promise<BlockedPeople> {
  const rows = await listBlocked(ctx.database.read, ctx.viewer.id, limits.people.most);
  return { people: rows.map(presentPerson) };
}

/** Mutes or unmutes a person in the viewer's lists, without notifying them. */
export async function mute(
  ctx: MemberContext,
  { userId, muted }: z.output<typeof Mute>,
): Promise<{ muted: boolean; message: string }> {
  if (userId === ctx.viewer.id) throw new AppError("bad_request", "You can’t mute yourself.");
  await ctx.limits.take("block", ctx.viewer.id);
  return ctx.database.write(async (tx) => {
    if (muted) await visibleUser(tx, ctx.viewer, { id: userId });
    if (muted && (await countMuted(tx, ctx.viewer.id)) >= limits.people.most)
      throw new AppError(
        "bad_request",
        `You have muted ${limits.people.most.toLocaleString("en")} people, which is the most there can be. Unmute someone first.`,
      );
    if (await setMute(tx, ctx.viewer.id, userId, muted, Date.now())) {
      tx.emit(userTopic(ctx.viewer.id), { kind: "viewer.mute", userId, muted });
      tx.emit(userTopic(ctx.viewer.id), { kind: "viewer.blocksChanged" });
      tx.signal(blocksTopic(ctx.viewer.id));
    }
    return { muted, message: muted ? "Muted." : "Unmuted." };
  });
}

/** Returns people the viewer has muted, newest first. */
export async function mutedPeople(ctx: MemberContext): Promise<MutedPeople> {
  const rows = await listMuted(ctx.database.read, ctx.viewer.id, limits.people.most);
  return { people: rows.map(presentPerson) };
}
