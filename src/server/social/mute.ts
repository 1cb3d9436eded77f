import type { z } from "zod";
import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import type { Mute, MutedPeople } from "../../shared/social.ts";
import type { MemberContext } from "../context.ts";
import { userTopic } from "../live/stored-events.ts";
import { blocksTopic } from "../live/signals.ts";
import { visibleUser } from "../profiles/access.ts";
import { countMuted, listMuted, setMute } from "../blocks/mute-queries.ts";
import { presentPerson } from "../profiles/present.ts";

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
      await tx.emit(userTopic(ctx.viewer.id), { kind: "viewer.mute", userId, muted });
      await tx.emit(userTopic(ctx.viewer.id), { kind: "viewer.blocksChanged" });
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
