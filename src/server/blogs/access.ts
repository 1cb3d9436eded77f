import { AppError } from "../../shared/errors.ts";
import { Id } from "../../shared/users.ts";
import type { Asker } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { canComment, canReadBlog, canTakePart, canWriteBlog, ownsBlog, type BlogStanding } from "./policy.ts";
import { coAuthorIds } from "./author-queries.ts";
import { blogFactsById, blogFactsBySlug, type BlogFacts } from "./queries.ts";

export type By = { id: string } | { slug: string };

/** What clients name a blog by: its id, or its address. */
export const byKey = (key: string): By => (Id.safeParse(key).success ? { id: key } : { slug: key });

export const blogStanding = (viewer: Asker | null, blog: BlogFacts): BlogStanding => ({
  isAuthor: viewer?.id === blog.authorId,
  isCoAuthor: Boolean(blog.isCoAuthor),
  followsAuthor: Boolean(blog.followsAuthor),
  draft: blog.draft,
  private: blog.private,
  authorPrivate: blog.authorPrivate,
  isHidden: !blog.isVisible,
});

const blogFactsOf = (connection: Connection, viewer: Asker | null, by: By): Promise<BlogFacts | undefined> =>
  "id" in by
    ? blogFactsById(connection, by.id, viewer?.id ?? null)
    : blogFactsBySlug(connection, by.slug, viewer?.id ?? null);

/** The only door to a blog. Throws `not_found` where there is none, or none for this reader: forbidden looks absent. */
export async function readableBlog(connection: Connection, viewer: Asker | null, by: By): Promise<BlogFacts> {
  const blog = await readableFacts(connection, viewer, by);
  if (!blog) throw new AppError("not_found", "This blog doesn’t exist, or you can’t see it.");
  return blog;
}

/** A blog the viewer may comment on, like and save. */
export async function openBlog(connection: Connection, viewer: Asker, by: By): Promise<BlogFacts> {
  const blog = await readableBlog(connection, viewer, by);
  if (!canTakePart(blogStanding(viewer, blog)))
    throw new AppError("forbidden", "This is a draft. Publish it first.");
  return blog;
}

/** Throws `forbidden` where the author of the blog does not have the viewer comment. */
export function requireComment(viewer: Asker, blog: BlogFacts): void {
  if (canComment(blogStanding(viewer, blog), blog.commentsFrom)) return;
  throw new AppError(
    "forbidden",
    blog.commentsFrom === "followers"
      ? "Only followers can comment. Follow the author to join in."
      : "The author turned off comments.",
  );
}

/** A blog the viewer writes, theirs or with its author. `forbidden` where they may read it, `not_found` where not even that. */
export async function writableBlog(connection: Connection, viewer: Asker, by: By): Promise<BlogFacts> {
  const blog = await readableBlog(connection, viewer, by);
  if (!canWriteBlog(blogStanding(viewer, blog)))
    throw new AppError("forbidden", "Only its authors can change a blog.");
  return blog;
}

/** The ids of all who write it: their pictures may stand in it. */
export const authorsOf = async (connection: Connection, blog: BlogFacts): Promise<string[]> => [
  blog.authorId,
  ...(await coAuthorIds(connection, blog.id)),
];

/** A blog that is the viewer's own. `forbidden` where they may read it, `not_found` where not even that. */
export async function ownBlog(connection: Connection, viewer: Asker, by: By): Promise<BlogFacts> {
  const blog = await readableBlog(connection, viewer, by);
  if (!ownsBlog(blogStanding(viewer, blog)))
    throw new AppError("forbidden", "Only its author can change a blog.");
  return blog;
}

/** A blog where the viewer may read it. */
export async function readableFacts(
  connection: Connection,
  viewer: Asker | null,
  by: By,
): Promise<BlogFacts | undefined> {
  const blog = await blogFactsOf(connection, viewer, by);
  return blog && canReadBlog(blogStanding(viewer, blog)) ? blog : undefined;
}

/** Whether the viewer may still read it. */
export const mayReadBlog = async (connection: Connection, viewer: Asker | null, by: By): Promise<boolean> =>
  (await readableFacts(connection, viewer, by)) !== undefined;
