import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import type { Connection } from "../database/connection.ts";
import * as queries from "./queries.ts";
import { makeSlug } from "./slug.ts";

/** Returns the slug of a new blog, as wished or made from the title. Throws `conflict` if taken. */
export async function newAddress(
  tx: Connection,
  title: string,
  requestedSlug: string | undefined,
): Promise<string> {
  if (requestedSlug === undefined) return freshSlug(tx, title);
  if (await queries.slugHolder(tx, requestedSlug)) throw slugTaken(requestedSlug);
  return requestedSlug;
}

interface SluggedBlog {
  id: string;
  slug: string;
  title: string;
  draft: boolean;
  editedAt: number | null;
  takedownReason: string | null;
}

/** Whether a blog is a draft that was never published. */
export const wasNeverPublished = (
  blog: Pick<SluggedBlog, "draft" | "editedAt" | "takedownReason">,
): boolean => blog.draft && blog.editedAt === null && blog.takedownReason === null;

/**
 * Returns a blog's slug after a change. The previous one becomes a redirect if readers knew it: the name of a draft is kept
 * nowhere. Without a requested slug, it stays, or is made from `title` if `isMade`. Throws `conflict` if taken.
 */
export async function nextAddress(
  tx: Connection,
  blog: SluggedBlog,
  requestedSlug: string | undefined,
  { title, isMade }: { title: string; isMade: boolean },
): Promise<string> {
  const next = requestedSlug ?? (isMade ? await freshSlug(tx, title) : blog.slug);
  if (next === blog.slug) return next;
  const holder = await queries.slugHolder(tx, next);
  if (holder !== undefined && holder !== blog.id) throw slugTaken(next);
  const isKept = !blog.draft && holder === undefined;
  if (isKept && (await queries.countOldSlugs(tx, blog.id)) >= limits.slug.old) {
    if (requestedSlug === undefined) return blog.slug;
    throw new AppError(
      "bad_request",
      `This blog has had ${limits.slug.old} addresses, which all still work. Please use one of them.`,
      { field: "slug" },
    );
  }
  if (!blog.draft) await queries.keepSlug(tx, blog);
  await queries.changeSlug(tx, blog.id, next);
  return next;
}

async function freshSlug(tx: Connection, title: string): Promise<string> {
  for (;;) {
    const slug = makeSlug(title);
    if ((await queries.slugHolder(tx, slug)) === undefined) return slug;
  }
}

const slugTaken = (slug: string) =>
  new AppError("conflict", `The address ${slug} is taken. Please choose another one.`, { field: "slug" });
