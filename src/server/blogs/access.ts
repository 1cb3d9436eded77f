import { AppError } from "../../shared/errors.ts";
import { Id } from "../../shared/users.ts";
import type { Asker } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { canChangeBlog, canComment, canReadBlog, canTakePart, type BlogStanding } from "./policy.ts";
import { blogFactsById, blogFactsBySlug, type BlogFacts } from "./queries.ts";

export type By = { id: string } | { slug: string };

/** What clients name a blog by: its id, or its address. */
export const byKey = (key: string): By => (Id.safeParse(key).success ? { id: key } : { slug: key });

export const blogStanding = (viewer: Asker | null, blog: BlogFacts): BlogStanding => ({
  isAuthor: viewer?.id === blog.authorId,
  followsAuthor: Boolean(blog.followsAuthor),
  draft: blog.draft,
  private: blog.private,
  authorPrivate: blog.authorPrivate,
  walled: !blog.inSight,
});

const blogFactsOf = (connection: Connection, viewer: Asker | null, by: By): Promise<BlogFacts | undefined> =>
  "id" in by
    ? blogFactsById(connection, by.id, viewer?.id ?? null)
    : blogFactsBySlug(connection, by.slug, viewer?.id ?? null);

/** The only door to a blog. Throws `not_found` where there is none, or none for this reader: forbidden looks absent. */
export async function readableBlog(connection: Connection, viewer: Asker | null, by: By): Promise<BlogFacts> {
  const blog = await blogFactsOf(connection, viewer, by);
  if (!blog || !canReadBlog(blogStanding(viewer, blog)))
    throw new AppError("not_found", "This blog does not exist, or is not for you to read.");
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
      ? "Its author has followers alone comment here. Follow them to say something."
      : "Its author has closed this talk.",
  );
}

/** A blog the viewer wrote. `forbidden` where they may read it, `not_found` where not even that. */
export async function ownBlog(connection: Connection, viewer: Asker, by: By): Promise<BlogFacts> {
  const blog = await readableBlog(connection, viewer, by);
  if (!canChangeBlog(blogStanding(viewer, blog)))
    throw new AppError("forbidden", "Only its author can change a blog.");
  return blog;
}

/** Whether the viewer may still read it. */
export async function mayReadBlog(connection: Connection, viewer: Asker | null, by: By): Promise<boolean> {
  const blog = await blogFactsOf(connection, viewer, by);
  return blog !== undefined && canReadBlog(blogStanding(viewer, blog));
}
