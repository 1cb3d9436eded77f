import type { z } from "zod";
import { mostPlaces, type KeepPlace, type ReadingPlace } from "../../shared/reading-place.ts";
import { openBlog, readableBlog } from "../blogs/access.ts";
import type { MemberContext } from "../context.ts";
import { userById } from "../users/queries.ts";
import { forgetOldest, forgetPlace, placeIn, setPlace } from "./place-queries.ts";

/** Where the viewer stopped reading a blog that they may read; null where nothing is kept of that. */
export async function readingPlace(
  ctx: MemberContext,
  { blogId }: { blogId: string },
): Promise<{ place: ReadingPlace | null }> {
  const { read } = ctx.database;
  const blog = await readableBlog(read, ctx.viewer, { id: blogId });
  return { place: (await placeIn(read, ctx.viewer.id, blog.id)) ?? null };
}

/**
 * Keeps for the viewer alone where they stopped reading, or forgets it. Nothing is kept of whoever does not want it to be seen that
 * they read.
 */
export async function keepPlace(
  ctx: MemberContext,
  { blogId, place }: z.output<typeof KeepPlace>,
): Promise<{ kept: boolean }> {
  const { id } = ctx.viewer;
  return ctx.database.write(async (tx) => {
    await openBlog(tx, ctx.viewer, { id: blogId });
    const kept = place !== null && (await userById(tx, id))?.showPresence === true;
    if (kept) {
      await setPlace(tx, id, blogId, place, Date.now());
      await forgetOldest(tx, id, mostPlaces);
    } else await forgetPlace(tx, id, blogId);
    return { kept };
  });
}
