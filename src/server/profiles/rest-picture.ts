import { AppError } from "../../shared/errors.ts";
import type { MemberContext } from "../context.ts";
import { pictureData } from "../media/data-url.ts";
import { addBytes } from "../media/service.ts";
import { userById } from "./queries.ts";

/** Parses a `profilePic`: a data URL (`sent` if large), the current URL (keep), or nothing (none). */
export async function newPicture(
  ctx: MemberContext,
  profilePic: string | null | undefined,
  sent: Buffer | undefined,
): Promise<{ pictureId?: string | null }> {
  if (profilePic === undefined) return {};
  if (profilePic === null || profilePic === "" || profilePic === "null") return { pictureId: null };
  const bytes = sent ?? pictureData(profilePic);
  if (bytes) return { pictureId: (await addBytes(ctx, bytes)).id };
  const user = await userById(ctx.database.read, ctx.viewer.id);
  if (user?.pictureId && profilePic.includes(user.pictureId)) return {};
  throw new AppError("bad_request", "Please send the picture as a data URL.", { field: "profilePic" });
}
