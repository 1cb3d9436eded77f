import type { BlogPage } from "../../shared/blogs.ts";
import type { CommentList, SeenComment } from "../../shared/comments.ts";
import type { Viewer } from "../../shared/users.ts";
import { applyCommentEvent } from "./apply-comment-event.ts";
import { cachedComments, changeComments, isThere } from "./cache.ts";
import type { Cache } from "./cache.ts";
import { ownChanges } from "./own-changes.ts";

type Blog = Pick<BlogPage, "id">;

export interface Draft {
  /** Made once: a retry after a lost answer makes no second comment. */
  id: string;
  text: string;
  parent: SeenComment | null;
}

/**
 * Shows a comment at once and sends it. Rejects, with the comment taken back, where it could not be posted; one that was
 * heard of meanwhile is posted, though its answer was lost.
 */
export async function postComment(
  cache: Cache,
  blog: Blog,
  author: Viewer,
  { id, text, parent }: Draft,
): Promise<void> {
  const { username, name, picture } = author;
  const comment: SeenComment = {
    id,
    blogId: blog.id,
    parentId: parent?.id ?? null,
    rootId: parent?.rootId ?? id,
    author: { id: author.id, username, name, picture },
    text: tidied(text),
    createdAt: afterAll(cachedComments(cache, blog.id)),
    editedAt: null,
    deleted: false,
    likesCount: 0,
    liked: false,
  };
  ownChanges.begin(blog.id, id, { kind: "comment.created", comment });
  try {
    const posted = await cache.client.comments.create.mutate({
      id,
      blogId: blog.id,
      parentId: comment.parentId,
      text,
    });
    ownChanges.answered(blog.id, id, { kind: "comment.created", comment: posted });
  } catch (error) {
    ownChanges.drop(blog.id, id);
    if (!isThere(cachedComments(cache, blog.id), id)) throw error;
  }
}

/** Shows the new text at once and sends it. Rejects, with the old text back, where it could not be saved. */
export async function editComment(
  cache: Cache,
  blog: Blog,
  comment: SeenComment,
  text: string,
): Promise<void> {
  const change = `edit-${comment.id}`;
  // Never before its last edit, though this clock may be behind: an older edit changes nothing.
  const editedAt = new Date(
    Math.max(Date.now(), Date.parse(comment.editedAt ?? comment.createdAt) + 1),
  ).toISOString();
  ownChanges.begin(blog.id, change, {
    kind: "comment.edited",
    commentId: comment.id,
    text: tidied(text),
    editedAt,
  });
  try {
    const edited = await cache.client.comments.edit.mutate({ id: comment.id, text });
    changeComments(cache, blog.id, (list) =>
      applyCommentEvent(list, {
        kind: "comment.edited",
        commentId: edited.id,
        text: edited.text,
        editedAt: edited.editedAt ?? edited.createdAt,
      }),
    );
  } finally {
    ownChanges.drop(blog.id, change);
  }
}

/** Takes a comment and its replies away at once and says so to the server. Rejects, with all of them back, where it may not be. */
export async function deleteComment(cache: Cache, blog: Blog, comment: SeenComment): Promise<void> {
  const change = `delete-${comment.id}`;
  ownChanges.begin(blog.id, change, { kind: "comment.deleted", commentIds: [comment.id], emptied: [] });
  try {
    const { commentIds, emptied } = await cache.client.comments.remove.mutate({ id: comment.id });
    ownChanges.answered(blog.id, change, { kind: "comment.deleted", commentIds, emptied });
  } catch (error) {
    ownChanges.drop(blog.id, change);
    throw error;
  }
}

/** As the server keeps it (shared/users.ts, `lines`), so that nothing twitches when its word comes. */
function tidied(text: string): string {
  return text.normalize("NFC").replace(/\r\n?/g, "\n").trim();
}

/** Now, or just after the newest comment where this clock is behind: what one has just written stands first. */
function afterAll(list: CommentList | undefined): string {
  const newest =
    list?.comments.reduce(
      (latest, comment) => (comment.createdAt > latest ? comment.createdAt : latest),
      "",
    ) ?? "";
  const now = new Date().toISOString();
  return now > newest ? now : new Date(Date.parse(newest) + 1).toISOString();
}
