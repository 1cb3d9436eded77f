import { AppError } from "../../shared/errors.ts";
import { blogToInteract } from "../blogs/access.ts";
import type { BlogFacts } from "../blogs/queries.ts";
import type { RequestViewer } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { canReplyTo, type CommentRelation } from "./policy.ts";
import { commentById, type CommentRow } from "./queries.ts";

export interface KnownComment {
  comment: CommentRow;
  blog: BlogFacts;
  relation: CommentRelation;
}

/** Returns a comment visible to the viewer, below a blog they can read. Throws `not_found` otherwise. */
export async function openComment(
  connection: Connection,
  viewer: RequestViewer,
  id: string,
): Promise<KnownComment> {
  const comment = await commentById(connection, id, viewer.id);
  if (!comment || comment.isHidden) throw notFound();
  const blog = await blogToInteract(connection, viewer, { id: comment.blogId }).catch((error: unknown) => {
    throw error instanceof AppError && error.code === "not_found" ? notFound() : error;
  });
  return {
    comment,
    blog,
    relation: {
      isAuthor: comment.author?.id === viewer.id,
      isBlogAuthor: blog.authorId === viewer.id,
      deleted: comment.deletedAt !== null,
    },
  };
}

/** Returns a comment that the viewer can reply to, or undefined. */
export async function findRepliable(
  connection: Connection,
  viewerId: string,
  id: string,
): Promise<CommentRow | undefined> {
  const comment = await commentById(connection, id, viewerId);
  const isRepliable = comment && !comment.isHidden && canReplyTo({ deleted: comment.deletedAt !== null });
  return isRepliable ? comment : undefined;
}

const notFound = () => new AppError("not_found", "This comment no longer exists.");
