import { AppError } from "../../shared/errors.ts";
import type { BlogFacts } from "../blogs/queries.ts";
import type { MemberContext } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { linksIn } from "../profiles/new-account-limits.ts";
import { userById } from "../profiles/queries.ts";
import { storedSettings } from "../site/queries.ts";
import { linkSearchLimit, recentTextsWithLinks } from "./pending-queries.ts";

/**
 * Returns whether a comment with a link needs approval: on sites that hold each account's first link, until one of theirs is
 * public below another author's blog. Staff, the blog's author and the command line are exempt.
 */
export async function needsLinkApproval(
  tx: Connection,
  { viewer, transport }: Pick<MemberContext, "viewer" | "transport">,
  blog: BlogFacts,
  text: string,
): Promise<boolean> {
  if (transport === "local" || blog.authorId === viewer.id || linksIn(text) === 0) return false;
  if ((await storedSettings(tx)).firstLinks !== "pending") return false;
  const user = await userById(tx, viewer.id);
  return !(user?.isAdmin || user?.isModerator) && !(await hasLinked(tx, viewer.id));
}

/** Returns whether a member has a link below another author's blog, or so many comments there that they count as known. */
async function hasLinked(connection: Connection, authorId: string): Promise<boolean> {
  const texts = await recentTextsWithLinks(connection, authorId);
  return texts.length >= linkSearchLimit || texts.some((text) => linksIn(text) > 0);
}

/** Throws `forbidden` if an edit would add a first link. */
export async function rejectFirstLink(
  tx: Connection,
  ctx: MemberContext,
  blog: BlogFacts,
  { before, after }: { before: string; after: string },
): Promise<void> {
  if (linksIn(before) === 0 && (await needsLinkApproval(tx, ctx, blog, after)))
    throw new AppError(
      "forbidden",
      "Your first comment with a link needs approval. Please post it as a new comment instead of editing this one.",
    );
}
