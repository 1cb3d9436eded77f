import type { z } from "zod";
import type { SetWriter } from "../../shared/moderation.ts";
import type { MemberContext } from "../context.ts";
import { userTopic } from "../live/stored-events.ts";
import { updateUser } from "../profiles/queries.ts";
import { requireActionTarget, requireAdmin } from "./access.ts";
import { logAction } from "./log.ts";

/** Sets whether a person can publish on sites with approved writers. */
export async function setWriter(
  ctx: MemberContext,
  { userId, writer }: z.output<typeof SetWriter>,
): Promise<{ message: string }> {
  const name = await ctx.database.write(async (tx) => {
    const actor = await requireAdmin(tx, ctx.viewer);
    const user = await requireActionTarget(tx, actor, userId);
    if (user.canPublish !== writer) {
      await updateUser(tx, userId, { canPublish: writer });
      await tx.emit(userTopic(userId), { kind: "viewer.profileChanged" });
      await logAction(tx, actor, writer ? "writer" : "reader", { kind: "profile", id: userId });
    }
    return user.name;
  });
  return { message: writer ? `${name} can publish now.` : `${name} can no longer publish.` };
}
