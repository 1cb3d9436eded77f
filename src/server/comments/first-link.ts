import { AppError } from "../../shared/errors.ts";
import type { BlogFacts } from "../blogs/queries.ts";
import type { MemberContext } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { linksIn } from "../users/new-account-limits.ts";
import { userById } from "../users/queries.ts";
import { storedSite } from "../users/site-queries.ts";
import { looked, textsPerhapsLinked } from "./pending-queries.ts";

/**
 * Whether a text with a link has to be let in first: where the site has the first one of an account wait, until one of theirs
 * stands below somebody else's blog. Staff, the author of the blog and the command line are never asked.
 */
export async function waitsForLink(
  tx: Connection,
  { viewer, transport }: Pick<MemberContext, "viewer" | "transport">,
  blog: BlogFacts,
  text: string,
): Promise<boolean> {
  if (transport === "local" || blog.authorId === viewer.id || linksIn(text) === 0) return false;
  if ((await storedSite(tx)).firstLinks !== "held") return false;
  const user = await userById(tx, viewer.id);
  return !(user?.isAdmin || user?.isModerator) && !(await hasLinked(tx, viewer.id));
}

/** Whether a comment with a link of somebody's stands below a blog of somebody else's, or so many that they are not new. */
async function hasLinked(connection: Connection, authorId: string): Promise<boolean> {
  const texts = await textsPerhapsLinked(connection, authorId);
  return texts.length >= looked || texts.some((text) => linksIn(text) > 0);
}

/** A comment that stands gets no first link by being changed. Throws `forbidden`. */
export async function refuseFirstLink(
  tx: Connection,
  ctx: MemberContext,
  blog: BlogFacts,
  { before, after }: { before: string; after: string },
): Promise<void> {
  if (linksIn(before) === 0 && (await waitsForLink(tx, ctx, blog, after)))
    throw new AppError(
      "forbidden",
      "Your first comment with a link needs approval. Please post it as a new comment instead of editing this one.",
    );
}
