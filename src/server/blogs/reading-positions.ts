import type { z } from "zod";
import {
  maxReadingPositions,
  type SetReadingPosition,
  type ReadingPosition,
} from "../../shared/reading-position.ts";
import { blogToInteract, readableBlog } from "./access.ts";
import type { MemberContext } from "../context.ts";
import { userById } from "../profiles/queries.ts";
import {
  deleteOldestReadingPositions,
  deleteReadingPosition,
  readingPositionIn,
  setReadingPosition,
} from "./reading-position-queries.ts";

/** Returns where the viewer stopped reading, or null. */
export async function readingPosition(
  ctx: MemberContext,
  { blogId }: { blogId: string },
): Promise<{ place: ReadingPosition | null }> {
  const { read } = ctx.database;
  const blog = await readableBlog(read, ctx.viewer, { id: blogId });
  return { place: (await readingPositionIn(read, ctx.viewer.id, blog.id)) ?? null };
}

/** Stores or deletes the viewer's reading position. Stores none with `showPresence` off. */
export async function storeReadingPosition(
  ctx: MemberContext,
  { blogId, place }: z.output<typeof SetReadingPosition>,
): Promise<{ kept: boolean }> {
  const { id } = ctx.viewer;
  return ctx.database.write(async (tx) => {
    await blogToInteract(tx, ctx.viewer, { id: blogId });
    const isStored = place !== null && (await userById(tx, id))?.showPresence === true;
    if (isStored) {
      await setReadingPosition(tx, id, blogId, place, Date.now());
      await deleteOldestReadingPositions(tx, id, maxReadingPositions);
    } else await deleteReadingPosition(tx, id, blogId);
    return { kept: isStored };
  });
}
