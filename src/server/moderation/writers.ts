import type { z } from "zod";
import { AppError } from "../../shared/errors.ts";
import type { SetWriter } from "../../shared/moderation.ts";
import type { MemberContext } from "../context.ts";
import { userTopic } from "../live/stored-events.ts";
import { updateUser, userById } from "../profiles/queries.ts";
import { requireAdmin } from "./access.ts";
import { logAction } from "./log.ts";

/** Sets whether a person can publish on sites with approved writers. */
export async function setWriter(
  ctx: MemberContext,
  { userId, writer }: z.output<typeof SetWriter>,
): Promise<{ message: string }> {
  const name = await ctx.database.write(async (tx) => {
    const actor = await requireAdmin(tx, ctx.viewer);
    const user = await userById(tx, userId);
    if (!user) throw new AppError("not_found", "This account no longer exists.");
    if (user.canPublish !== writer) {
      await updateUser(tx, userId, { canPublish: writer });
      await tx.emit(userTopic(userId), { kind: "viewer.profileChanged" });
      await logAction(tx, actor, writer ? "writer" : "reader", { kind: "profile", id: userId });
    }
    return user.name;
  });
  return { message: writer ? `${name} can publish now.` : `${name} can no longer publish.` };
}
