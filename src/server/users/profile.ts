import type { z } from "zod";
import { AppError } from "../../shared/errors.ts";
import type { ProfileUpdate, Viewer } from "../../shared/users.ts";
import type { MemberContext } from "../context.ts";
import { isDuplicate } from "../database/errors.ts";
import { peopleTopic, userTopic } from "../live/outbox.ts";
import { noteUse, pictureById } from "../media/queries.ts";
import { presentViewer } from "./present.ts";
import * as queries from "./queries.ts";

/** Changes what is given of the viewer's profile. Throws `conflict` where the username is taken. */
export async function updateProfile(
  ctx: MemberContext,
  input: z.output<typeof ProfileUpdate>,
): Promise<Viewer> {
  const { pictureId, ...rest } = input;
  const change = Object.fromEntries(
    Object.entries({ ...rest, pictureId }).filter(([, value]) => value !== undefined),
  );
  try {
    return await ctx.database.write(async (tx) => {
      if (pictureId && (await pictureById(tx, pictureId))?.ownerId !== ctx.viewer.id) {
        throw new AppError("bad_request", "That picture is not there any more. Please choose it again.", {
          field: "pictureId",
        });
      }
      const user = await queries.userById(tx, ctx.viewer.id);
      await queries.updateUser(tx, ctx.viewer.id, change);
      await noteUse(tx, [user?.pictureId, pictureId], Date.now());
      await tx.fact(userTopic(ctx.viewer.id), { kind: "profile.changed" });
      tx.ring(peopleTopic);
      const changed = await queries.userById(tx, ctx.viewer.id);
      if (!user || !changed) throw new AppError("not_found", "This account does not exist any more.");
      return presentViewer(changed, ctx.session?.handle ?? "");
    });
  } catch (error) {
    if (isDuplicate(error, "users.username"))
      throw new AppError("conflict", "That username is taken. Please choose another.", { field: "username" });
    throw error;
  }
}
