import { AppError } from "../../shared/errors.ts";
import { Id } from "../../shared/users.ts";
import type { RequestViewer } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { canComment, canReadBlog, canInteract, canWriteBlog, ownsBlog, type BlogRelation } from "./policy.ts";
import { coAuthorIds } from "../authors/queries.ts";
import { blogFactsById, blogFactsBySlug, type BlogFacts } from "./queries.ts";

export type BlogKey = { id: string } | { slug: string };

export const parseBlogKey = (key: string): BlogKey =>
  Id.safeParse(key).success ? { id: key } : { slug: key };

export const blogRelation = (viewer: RequestViewer | null, blog: BlogFacts): BlogRelation => ({
  isAuthor: viewer?.id === blog.authorId,
  isCoAuthor: Boolean(blog.isCoAuthor),
  followsAuthor: Boolean(blog.followsAuthor),
  draft: blog.draft,
  private: blog.private,
  authorPrivate: blog.authorPrivate,
  isHidden: !blog.isVisible,
});

const blogFactsOf = (
  connection: Connection,
  viewer: RequestViewer | null,
  key: BlogKey,
): Promise<BlogFacts | undefined> =>
  "id" in key
    ? blogFactsById(connection, key.id, viewer?.id ?? null)
    : blogFactsBySlug(connection, key.slug, viewer?.id ?? null);

/** Returns a blog the viewer can read, else throws `not_found`: a forbidden blog looks absent. All access goes through here. */
export async function readableBlog(
  connection: Connection,
  viewer: RequestViewer | null,
  key: BlogKey,
): Promise<BlogFacts> {
  const blog = await readableFacts(connection, viewer, key);
  if (!blog) throw new AppError("not_found", "This blog doesn’t exist, or you can’t see it.");
  return blog;
}

/** Returns a blog the viewer can comment on, like and save. Throws `forbidden` for a draft. */
export async function blogToInteract(
  connection: Connection,
  viewer: RequestViewer,
  key: BlogKey,
): Promise<BlogFacts> {
  const blog = await readableBlog(connection, viewer, key);
  if (!canInteract(blogRelation(viewer, blog)))
    throw new AppError("forbidden", "This is a draft. Publish it first.");
  return blog;
}

/** Throws `forbidden` if the comment policy excludes the viewer. */
export function requireComment(viewer: RequestViewer, blog: BlogFacts): void {
  if (canComment(blogRelation(viewer, blog), blog.commentsFrom)) return;
  throw new AppError(
    "forbidden",
    blog.commentsFrom === "followers"
      ? "Only followers can comment. Follow the author to join in."
      : "The author turned off comments.",
  );
}

/** Returns a blog the viewer can edit. Throws `forbidden` if only readable, else `not_found`. */
export async function writableBlog(
  connection: Connection,
  viewer: RequestViewer,
  key: BlogKey,
): Promise<BlogFacts> {
  const blog = await readableBlog(connection, viewer, key);
  if (!canWriteBlog(blogRelation(viewer, blog)))
    throw new AppError("forbidden", "Only its authors can change a blog.");
  return blog;
}

/** Returns the ids of all authors: the blog can show their pictures. */
export const authorsOf = async (connection: Connection, blog: BlogFacts): Promise<string[]> => [
  blog.authorId,
  ...(await coAuthorIds(connection, blog.id)),
];

/** Returns the viewer's own blog. Throws `forbidden` if only readable, else `not_found`. */
export async function ownBlog(
  connection: Connection,
  viewer: RequestViewer,
  key: BlogKey,
): Promise<BlogFacts> {
  const blog = await readableBlog(connection, viewer, key);
  if (!ownsBlog(blogRelation(viewer, blog)))
    throw new AppError("forbidden", "Only its author can change a blog.");
  return blog;
}

export async function readableFacts(
  connection: Connection,
  viewer: RequestViewer | null,
  key: BlogKey,
): Promise<BlogFacts | undefined> {
  const blog = await blogFactsOf(connection, viewer, key);
  return blog && canReadBlog(blogRelation(viewer, blog)) ? blog : undefined;
}

export const mayReadBlog = async (
  connection: Connection,
  viewer: RequestViewer | null,
  key: BlogKey,
): Promise<boolean> => (await readableFacts(connection, viewer, key)) !== undefined;
