import { createHash } from "node:crypto";
import type { Picture } from "../../shared/blogs.ts";
import { AppError } from "../../shared/errors.ts";
import type { Context, MemberContext } from "../context.ts";
import { deletePictures, insertPicture, pictureByHash, unusedPictures } from "./queries.ts";
import { presentPicture } from "./paths.ts";

/** Stores a picture of the viewer's; the same bytes again give the same picture. */
export async function addPicture(
  ctx: MemberContext,
  bytes: Buffer,
  accepted?: readonly string[],
): Promise<Picture> {
  await ctx.limits.take("upload", ctx.viewer.id);
  const hash = createHash("sha256").update(bytes).digest("hex");
  const known = await pictureByHash(ctx.database.read, ctx.viewer.id, hash);
  if (known) return asPicture(presentPicture(known));
  const stored = await ctx.media.store(bytes, accepted);
  const twin = await ctx.database.write(async (tx) => {
    const other = await pictureByHash(tx, ctx.viewer.id, hash);
    if (!other) await insertPicture(tx, ctx.viewer.id, stored, Date.now());
    return other;
  });
  if (twin) await ctx.media.remove(stored.id);
  return asPicture(presentPicture(twin ?? stored));
}

/** Deletes those of the pictures that nothing shows any more, rows first, so that no page points to a file that is gone. */
export async function dropUnused(ctx: Pick<Context, "database" | "media">, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  const dropped = await ctx.database.write(async (tx) => {
    const unused = await unusedPictures(tx, ids);
    await deletePictures(tx, unused);
    return unused;
  });
  await Promise.all(dropped.map((id) => ctx.media.remove(id)));
}

function asPicture(picture: Picture | null): Picture {
  if (!picture) throw new AppError("bad_request", "That picture could not be stored.");
  return picture;
}
