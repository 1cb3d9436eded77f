import type { LikeAnswer, SaveAnswer } from "../../shared/social.ts";
import { blogToInteract, parseBlogKey } from "../blogs/access.ts";
import { publishLike } from "../blogs/events.ts";
import { likesAndSavesOf } from "../blogs/queries.ts";
import type { MemberContext } from "../context.ts";
import { blogTopic, profileTopic, userTopic } from "../live/stored-events.ts";
import { notify, withdraw } from "../notifications/service.ts";
import * as queries from "./queries.ts";

/** Sets a like. `toggle` inverts it in the transaction, so that concurrent ones all count. */
export async function likeBlog(
  ctx: MemberContext,
  { blogId: key, liked: requested }: { blogId: string; liked: boolean | "toggle" },
): Promise<LikeAnswer> {
  return ctx.database.write(async (tx) => {
    const blog = await blogToInteract(tx, ctx.viewer, parseBlogKey(key));
    const blogId = blog.id;
    const liked = requested === "toggle" ? !(await queries.hasLiked(tx, blogId, ctx.viewer.id)) : requested;
    if (await queries.setBlogLike(tx, blogId, ctx.viewer.id, liked, Date.now())) {
      await publishLike(tx, blogId, liked);
      tx.emit(userTopic(ctx.viewer.id), { kind: "viewer.like", blogId, liked });
      tx.emit(profileTopic(ctx.viewer.id), { kind: "profile.listed", list: "liked-blogs" });
      const notification = {
        userId: blog.authorId,
        kind: "like",
        actorId: ctx.viewer.id,
        target: blogId,
      } as const;
      await (liked ? notify(tx, { ...notification, blogId }) : withdraw(tx, notification));
    }
    return { liked, likesCount: (await likesAndSavesOf(tx, blogId)).likes };
  });
}

/** Sets a save; `toggle` as in `likeBlog`. */
export async function saveBlog(
  ctx: MemberContext,
  { blogId: key, saved: requested }: { blogId: string; saved: boolean | "toggle" },
): Promise<SaveAnswer> {
  return ctx.database.write(async (tx) => {
    const { id: blogId } = await blogToInteract(tx, ctx.viewer, parseBlogKey(key));
    const saved = requested === "toggle" ? !(await queries.hasSaved(tx, blogId, ctx.viewer.id)) : requested;
    if (await queries.setBlogSave(tx, blogId, ctx.viewer.id, saved, Date.now())) {
      tx.emit(blogTopic(blogId), { kind: "blog.saved" });
      tx.emit(userTopic(ctx.viewer.id), { kind: "viewer.save", blogId, saved });
      tx.emit(profileTopic(ctx.viewer.id), { kind: "profile.listed", list: "saved-blogs" });
    }
    return { saved, savesCount: (await likesAndSavesOf(tx, blogId)).saves };
  });
}
