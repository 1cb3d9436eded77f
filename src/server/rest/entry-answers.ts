import { hash } from "node:crypto";
import type { z } from "zod";
import type { Entry } from "../../shared/entries.ts";
import { addressKey } from "../auth/rate-limits.ts";
import { blogRelation } from "../blogs/access.ts";
import { canWriteBlog } from "../blogs/policy.ts";
import type { BlogFacts } from "../blogs/queries.ts";
import type { Context } from "../context.ts";
import { entryDocuments } from "../entries/queries.ts";
import { DerivedTexts } from "../runtime/derived-texts.ts";
import { withAddresses } from "./blog-responses.ts";
import { restPerson } from "./present.ts";
import type { EntryShape } from "./shapes.ts";

type EntryAnswer = z.output<typeof EntryShape>;

/** Texts as HTML for API clients, by their documents and whether the viewer is an author. */
const texts = new DerivedTexts<{ htmls: string[] }>(({ htmls }) => 2 * htmls.join("").length);

/**
 * Returns entries with their texts as those of blogs: authors get unreferenced notes, too, so that sending one back loses
 * nothing. The caller has checked access.
 */
export async function restEntries(ctx: Context, blog: BlogFacts, entries: Entry[]): Promise<EntryAnswer[]> {
  const known = await entryDocuments(
    ctx.database.read,
    entries.map(({ id }) => id),
  );
  // Without those that were deleted meanwhile.
  const present = entries.filter(({ id }) => known.has(id));
  const documents = present.map(({ id }) => known.get(id) ?? "");
  const contents = await withAddresses(ctx, await flatHtmlOf(ctx, blog, documents));
  return present.map(({ id, author, at, title, headline, isKey, editedAt, likesCount }, index) => ({
    _id: id,
    at,
    title,
    headline,
    isKey,
    content: contents[index] ?? "",
    creator: author && restPerson(ctx, author),
    editedAt,
    likesCount,
  }));
}

async function flatHtmlOf(
  { workers, config, viewer, address }: Context,
  blog: BlogFacts,
  documents: string[],
): Promise<string[]> {
  if (documents.length === 0) return [];
  const isWriter = canWriteBlog(blogRelation(viewer, blog));
  const version = `${hash("sha1", documents.join("\n"), "base64url")} ${isWriter}`;
  const { htmls } = await texts.of(blog.id, version, async () => ({
    htmls: await workers.run(
      "flatHtml",
      { documents, origin: config.publicUrl, isWriter },
      viewer?.id ?? addressKey(address),
    ),
  }));
  return htmls;
}
