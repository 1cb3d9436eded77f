import type { Picture } from "../../shared/blogs.ts";
import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import type { Context, MemberContext } from "../context.ts";
import {
  deletePictures,
  insertPicture,
  pictureByHash,
  picturesBefore,
  picturesByIds,
  renewPicture,
  unusedPictures,
} from "./queries.ts";
import { presentPicture } from "./paths.ts";

/** What a cover may be (decisions, "Reading and writing"). */
export const coverTypes: readonly string[] = ["jpeg", "png"];

/** Stores a picture of the viewer's; the same bytes again give the same picture. */
export async function addPicture(
  ctx: MemberContext,
  bytes: Buffer,
  accepted?: readonly string[],
): Promise<Picture> {
  await ctx.limits.take("upload", ctx.viewer.id);
  // Off the main thread, unlike createHash.
  const hash = Buffer.from(await crypto.subtle.digest("SHA-256", new Uint8Array(bytes))).toString("hex");
  const known = await pictureByHash(ctx.database.read, ctx.viewer.id, hash);
  if (known && (accepted?.includes(known.type) ?? true)) {
    // It is to be shown now, so the sweep waits for it anew.
    const isKept = await ctx.database.write((tx) => renewPicture(tx, known.id, Date.now()));
    if (isKept) return asPicture(presentPicture(known));
  }
  const { signal } = ctx;
  const stored = await ctx.media.store(bytes, { accepted, account: ctx.viewer.id, signal });
  let twin;
  try {
    twin = await ctx.database.write(async (tx) => {
      const other = await pictureByHash(tx, ctx.viewer.id, hash);
      if (!other) await insertPicture(tx, ctx.viewer.id, { ...stored, hash }, Date.now());
      return other;
    });
  } catch (error) {
    await ctx.media.remove(stored.id);
    throw error;
  }
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

const batch = 500;

/**
 * Deletes pictures that were uploaded a month ago and are shown nowhere, and files that no row tells of, left by a process
 * that was killed between the two.
 */
export async function sweepPictures(
  { database, media }: Pick<Context, "database" | "media">,
  now: number,
): Promise<void> {
  const old = now - limits.image.unusedFor;
  let ids = await picturesBefore(database.read, old, "", batch);
  while (ids.length > 0) {
    await dropUnused({ database, media }, await unusedPictures(database.read, ids));
    ids = await picturesBefore(database.read, old, ids.at(-1) ?? "", batch);
  }
  for await (const found of media.storedBefore(now - limits.image.strayFor)) {
    const known = new Set((await picturesByIds(database.read, found)).map(({ id }) => id));
    await Promise.all(found.filter((id) => !known.has(id)).map((id) => media.remove(id)));
  }
}

function asPicture(picture: Picture | null): Picture {
  if (!picture) throw new AppError("bad_request", "That picture could not be stored.");
  return picture;
}
