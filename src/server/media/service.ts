import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Picture } from "../../shared/blogs.ts";
import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import type { Context, MemberContext } from "../context.ts";
import { newId } from "../ids.ts";
import { requireQuota, requireStorage, takeQuota } from "../users/quotas.ts";
import { sightOf } from "./access.ts";
import {
  deletePictures,
  insertPicture,
  ownersOf,
  pictureByHash,
  picturesByIds,
  picturesToDrop,
  pictureToCopy,
  renewPicture,
} from "./queries.ts";
import { presentPicture, type PictureRow } from "./paths.ts";
import type { StoredPicture } from "./store.ts";

/** What a cover may be (docs/specification.md, 5.8). */
export const coverTypes: readonly string[] = ["jpeg", "png"];
/** Of covers that come in from other programs, which make WebP of what they were given. */
export const importedCoverTypes: readonly string[] = [...coverTypes, "webp"];

/**
 * Stores a picture of the viewer's, which lies in a file of the request's own; the same bytes again give the same picture.
 * It is never in memory as a whole: many may wait, each with eight megabytes.
 */
export async function addPicture(
  ctx: MemberContext,
  file: string,
  accepted?: readonly string[],
): Promise<Picture> {
  await ctx.limits.take("upload", ctx.viewer.id);
  const hash = await hashOf(file);
  const known = await pictureByHash(ctx.database.read, ctx.viewer.id, hash);
  if (known && (accepted?.includes(known.type) ?? true)) {
    // It is to be shown now, so the sweep waits for it anew.
    const isKept = await ctx.database.write((tx) => renewPicture(tx, known.id, Date.now()));
    if (isKept) return asPicture(presentPicture(known));
  }
  // Before the work that it is; counted when it is stored.
  await requireQuota(ctx, "dailyUploads");
  await requireStorage(ctx.database.read, ctx, (await stat(file)).size);
  const { signal } = ctx;
  const account = ctx.viewer.id;
  // This one is taken all the same: who sends costly ones may send fewer.
  const onWorked = (time: number) =>
    void ctx.limits.take("upload", account, Math.floor(time / limits.image.pointFor)).catch(() => undefined);
  const stored = await ctx.media.store(file, { accepted, account, signal, onWorked });
  return asPicture(presentPicture(await enter(ctx, { ...stored, hash })));
}

/** The same for a picture that is in memory already. */
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

/** Enters a picture whose files are stored; where the viewer has the same one by now, it is that one. */
async function enter(ctx: MemberContext, picture: StoredPicture & { hash: string }): Promise<PictureRow> {
  let twin;
  try {
    twin = await ctx.database.write(async (tx) => {
      const other = await pictureByHash(tx, ctx.viewer.id, picture.hash);
      if (other) return other;
      await takeQuota(tx, ctx, "dailyUploads");
      await requireStorage(tx, ctx, picture.bytes);
      await insertPicture(tx, ctx.viewer.id, picture, Date.now());
      return undefined;
    });
  } catch (error) {
    await ctx.media.remove(picture.id);
    throw error;
  }
  if (twin) await ctx.media.remove(picture.id);
  return twin ?? picture;
}

/**
 * For each of these pictures the viewer's own, or of those who write with them: itself, or a copy of somebody else's that they may see, so that theirs stays
 * whatever becomes of that one. Null for what is not there, or not for them to see.
 */
export async function ownPictures(
  ctx: MemberContext,
  ids: string[],
  authors: string[] = [ctx.viewer.id],
): Promise<Map<string, string | null>> {
  const { read } = ctx.database;
  const owners = await ownersOf(read, ids);
  const own = new Map<string, string | null>();
  for (const id of ids) {
    if (authors.includes(owners.get(id) ?? "")) own.set(id, id);
    else own.set(id, (await sightOf(read, ctx.viewer, id)) && (await copyPicture(ctx, id)));
  }
  return own;
}

async function copyPicture(ctx: MemberContext, from: string): Promise<string | null> {
  const picture = await pictureToCopy(ctx.database.read, from);
  if (!picture) return null;
  const known = await pictureByHash(ctx.database.read, ctx.viewer.id, picture.hash);
  if (known) return known.id;
  const id = newId();
  try {
    await ctx.media.copy(from, id);
  } catch {
    // Deleted in this moment.
    return null;
  }
  return (await enter(ctx, { ...picture, id })).id;
}

const batch = 500;

/** Deletes what nobody owns any more and nothing shows, and what has been shown nowhere since `before`: rows first, so that no page points to a file that is gone. */
export async function dropUnused(ctx: Pick<Context, "database" | "media">, before = 0): Promise<number> {
  let after = "";
  let count = 0;
  for (;;) {
    const ids = await picturesToDrop(ctx.database.read, before, after, batch);
    if (ids.length === 0) return count;
    const dropped = await ctx.database.write((tx) => deletePictures(tx, ids, before));
    await Promise.all(dropped.map((id) => ctx.media.remove(id)));
    count += dropped.length;
    if (ids.length < batch) return count;
    after = ids.at(-1) ?? "";
  }
}

/** Deletes pictures that have been shown nowhere for a month, and files that no row tells of, left by a process that was killed between the two. */
export async function sweepPictures(
  { database, media }: Pick<Context, "database" | "media">,
  now: number,
): Promise<Swept> {
  const dropped = await dropUnused({ database, media }, now - limits.image.unusedFor);
  let strays = 0;
  for await (const found of media.storedBefore(now - limits.image.strayFor)) {
    const known = new Set((await picturesByIds(database.read, found)).map(({ id }) => id));
    const unknown = found.filter((id) => !known.has(id));
    await Promise.all(unknown.map((id) => media.remove(id)));
    strays += unknown.length;
  }
  return { dropped, strays };
}

/** How many pictures went that nothing showed, and how many files that no row told of. */
export interface Swept {
  dropped: number;
  strays: number;
}

function asPicture(picture: Picture | null): Picture {
  if (!picture) throw new AppError("bad_request", "We couldn’t store that picture.");
  return picture;
}
