import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Picture } from "../../shared/blogs.ts";
import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import type { Context, MemberContext } from "../context.ts";
import { newId } from "../runtime/ids.ts";
import { pictureAccess } from "./access.ts";
import {
  deletePictures,
  insertPicture,
  ownersOf,
  pictureByHash,
  picturesByIds,
  picturesToDelete,
  pictureToCopy,
  renewPicture,
} from "./queries.ts";
import { presentPicture, type PictureRow } from "./paths.ts";
import type { StoredPicture } from "./store.ts";

/** Types of covers (docs/specification.md, 5.8). */
export const coverTypes: readonly string[] = ["jpeg", "png"];
/** For imports: other programs convert covers to WebP. */
export const importedCoverTypes: readonly string[] = [...coverTypes, "webp"];

/**
 * Stores a picture from a temporary file; the same bytes return the same picture. Never reads all of it into memory: many
 * uploads may wait, eight megabytes each.
 */
export async function addPicture(
  ctx: MemberContext,
  file: string,
  accepted?: readonly string[],
): Promise<Picture> {
  await ctx.limits.take("upload", ctx.viewer.id);
  const hash = await hashOf(file);
  const existing = await pictureByHash(ctx.database.read, ctx.viewer.id, hash);
  if (existing && (accepted?.includes(existing.type) ?? true)) {
    // It will be shown: the sweep must wait again.
    const isRenewed = await ctx.database.write((tx) => renewPicture(tx, existing.id, Date.now()));
    if (isRenewed) return asPicture(presentPicture(existing));
  }
  // Checked before the work, counted when stored.
  await ctx.pictureQuota.require(ctx, (await stat(file)).size);
  const { signal } = ctx;
  const account = ctx.viewer.id;
  // Costly pictures use more of the rate limit, afterwards.
  const onWorked = (time: number) =>
    void ctx.limits.take("upload", account, Math.floor(time / limits.image.pointFor)).catch(() => undefined);
  const stored = await ctx.media.store(file, { accepted, account, signal, onWorked });
  return asPicture(presentPicture(await insertStoredPicture(ctx, { ...stored, hash })));
}

/** As `addPicture`, for bytes in memory. */
export const addBytes = (ctx: MemberContext, bytes: Buffer, accepted?: readonly string[]): Promise<Picture> =>
  ctx.temporary.folder(async (folder) => {
    const file = path.join(folder, "picture");
    await writeFile(file, bytes);
    return addPicture(ctx, file, accepted);
  });

async function hashOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const part of createReadStream(file)) hash.update(part as Buffer);
  return hash.digest("hex");
}

/** Inserts a stored picture, unless another upload of the same was faster. */
async function insertStoredPicture(
  ctx: MemberContext,
  picture: StoredPicture & { hash: string },
): Promise<PictureRow> {
  let existing;
  try {
    existing = await ctx.database.write(async (tx) => {
      const other = await pictureByHash(tx, ctx.viewer.id, picture.hash);
      if (other) return other;
      await ctx.pictureQuota.take(tx, ctx, picture.bytes);
      await insertPicture(tx, ctx.viewer.id, picture, Date.now());
      return undefined;
    });
  } catch (error) {
    await ctx.media.remove(picture.id);
    throw error;
  }
  if (existing) await ctx.media.remove(picture.id);
  return existing ?? picture;
}

/**
 * Maps each picture to one of `authors`: itself, or a copy of another's that the viewer can see, so that it survives the
 * original. Null when missing or not visible.
 */
export async function ensureOwnPictures(
  ctx: MemberContext,
  ids: string[],
  authors: string[] = [ctx.viewer.id],
): Promise<Map<string, string | null>> {
  const { read } = ctx.database;
  const owners = await ownersOf(read, ids);
  const ownIds = new Map<string, string | null>();
  for (const id of ids) {
    if (authors.includes(owners.get(id) ?? "")) ownIds.set(id, id);
    else ownIds.set(id, (await pictureAccess(read, ctx.viewer, id)) && (await copyPicture(ctx, id)));
  }
  return ownIds;
}

async function copyPicture(ctx: MemberContext, from: string): Promise<string | null> {
  const picture = await pictureToCopy(ctx.database.read, from);
  if (!picture) return null;
  const existing = await pictureByHash(ctx.database.read, ctx.viewer.id, picture.hash);
  if (existing) return existing.id;
  const id = newId();
  try {
    await ctx.media.copy(from, id);
  } catch (error) {
    if (error instanceof AppError) throw error;
    // Deleted meanwhile.
    return null;
  }
  return (await insertStoredPicture(ctx, { ...picture, id })).id;
}

const batchSize = 500;

/** Deletes pictures not shown since `before`, or without owner. Rows first: no page may refer to a missing file. */
export async function deleteUnusedPictures(
  ctx: Pick<Context, "database" | "media">,
  before = 0,
): Promise<number> {
  let after = "";
  let count = 0;
  for (;;) {
    const ids = await picturesToDelete(ctx.database.read, before, after, batchSize);
    if (ids.length === 0) return count;
    const deleted = await ctx.database.write((tx) => deletePictures(tx, ids, before));
    await Promise.all(deleted.map((id) => ctx.media.remove(id)));
    count += deleted.length;
    if (ids.length < batchSize) return count;
    after = ids.at(-1) ?? "";
  }
}

/** Deletes pictures not shown for a month, and files without rows, which a killed process left. */
export async function sweepPictures(
  { database, media }: Pick<Context, "database" | "media">,
  now: number,
): Promise<SweepResult> {
  const dropped = await deleteUnusedPictures({ database, media }, now - limits.image.unusedFor);
  let strays = 0;
  for await (const ids of media.idsOlderThan(now - limits.image.strayFor)) {
    const storedIds = new Set((await picturesByIds(database.read, ids)).map(({ id }) => id));
    const orphans = ids.filter((id) => !storedIds.has(id));
    await Promise.all(orphans.map((id) => media.remove(id)));
    strays += orphans.length;
  }
  return { dropped, strays };
}

/** Numbers of pictures, and of files without rows. */
export interface SweepResult {
  dropped: number;
  strays: number;
}

function asPicture(picture: Picture | null): Picture {
  if (!picture) throw new AppError("bad_request", "We couldn’t store that picture.");
  return picture;
}
