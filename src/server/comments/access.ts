import { AppError } from "../../shared/errors.ts";
import { openBlog } from "../blogs/access.ts";
import type { BlogFacts } from "../blogs/queries.ts";
import type { Asker } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { canReplyTo, type CommentStanding } from "./policy.ts";
import { commentById, type CommentRow } from "./queries.ts";

export interface KnownComment {
  comment: CommentRow;
  blog: BlogFacts;
  standing: CommentStanding;
}

/** A comment under a blog that the viewer may read, of somebody who is there for them. Throws `not_found` where there is none. */
export async function openComment(connection: Connection, viewer: Asker, id: string): Promise<KnownComment> {
  const comment = await commentById(connection, id, viewer.id);
  if (!comment || comment.isHidden) throw gone();
  const blog = await openBlog(connection, viewer, { id: comment.blogId }).catch((error: unknown) => {
    throw error instanceof AppError && error.code === "not_found" ? gone() : error;
  });
  return {
    comment,
    blog,
    standing: {
      isAuthor: comment.author?.id === viewer.id,
      isBlogAuthor: blog.authorId === viewer.id,
      deleted: comment.deletedAt !== null,
    },
  };
}

/** A comment that the viewer may answer; undefined where it is gone, empty, or not there for them. */
export async function answerable(
  connection: Connection,
  viewerId: string,
  id: string,
): Promise<CommentRow | undefined> {
  const comment = await commentById(connection, id, viewerId);
  const isThere = comment && !comment.isHidden && canReplyTo({ deleted: comment.deletedAt !== null });
  return isThere ? comment : undefined;
}

const gone = () => new AppError("not_found", "This comment no longer exists.");
