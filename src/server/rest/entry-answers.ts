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

/** HTML for API clients, by the document and whether the viewer is an author. */
const texts = new DerivedTexts<{ html: string }>(({ html }) => 2 * html.length);

/**
 * Returns entries with their texts as those of blogs: authors get unreferenced notes, too, so that sending one back loses
 * nothing. The caller has checked access.
 */
export async function restEntries(ctx: Context, blog: BlogFacts, entries: Entry[]): Promise<EntryAnswer[]> {
  const ids = entries.map(({ id }) => id);
  const documents = await entryDocuments(ctx.database.read, ids);
  const isWriter = canWriteBlog(blogRelation(ctx.viewer, blog));
  const contents = await Promise.all(ids.map((id) => flatHtmlOf(ctx, id, documents.get(id), isWriter)));
  const shown = await withAddresses(ctx, contents);
  return entries.map(({ id, author, at, title, headline, isKey, editedAt, likesCount }, index) => ({
    _id: id,
    at,
    title,
    headline,
    isKey,
    content: shown[index] ?? "",
    creator: author && restPerson(ctx, author),
    editedAt,
    likesCount,
  }));
}

async function flatHtmlOf(
  { workers, config, viewer, address }: Context,
  id: string,
  document: string | undefined,
  isWriter: boolean,
): Promise<string> {
  // Deleted meanwhile.
  if (document === undefined) return "";
  const { html } = await texts.of(id, `${hash("sha1", document, "base64url")} ${isWriter}`, () =>
    workers.run(
      "flatHtml",
      { document, origin: config.publicUrl, isWriter },
      viewer?.id ?? addressKey(address),
    ),
  );
  return html;
}
