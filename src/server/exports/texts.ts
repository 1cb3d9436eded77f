import { trimDocument } from "../../shared/document/trim-document.ts";
import type { NodeJson, DocumentJson } from "../../shared/document/schema.ts";
import { draftOf } from "../writing/queries.ts";
import { readDraftDocument } from "../writing/text-queries.ts";
import type { Context, Services } from "../context.ts";
import { blogText } from "./queries.ts";
import type { ExportedBlog } from "./rows.ts";
import { DocumentError } from "../../shared/document/document-error.ts";
import { imagesOf } from "../../shared/document/to-text.ts";
import { serialize } from "../runtime/concurrency.ts";
import { markdownAsHtml } from "./markdown.ts";

/** Returns a blog's document as JSON and its HTML: of an unpublished one, its draft's. Undefined if it was deleted meanwhile. */
export async function exportedText(
  {
    database: { read },
    workers,
    config,
  }: {
    database: Pick<Context["database"], "read">;
    workers: Context["workers"];
    config: Pick<Context["config"], "publicUrl">;
  },
  { id, visibility, hiddenFor, author }: ExportedBlog,
): Promise<{ document: string; html: string } | undefined> {
  const row = visibility === "draft" && hiddenFor === null ? await draftOf(read, id) : undefined;
  if (!row) return blogText(read).get({ id });
  const draft = (await readDraftDocument(read, row)).document;
  const document = JSON.stringify(trimDocument(draft.toJSON() as NodeJson));
  const input = { document, origin: config.publicUrl, images: {}, isUnsaved: true };
  return { document, html: (await workers.run("render", input, author.id)).html };
}

/**
 * Returns a stored document as Markdown that parses to the same document. `addressOf` maps pictures. A document too expensive
 * to verify becomes HTML inside, rendered on this thread. `who` shares the workers fairly; `origin` identifies the site's own
 * blogs.
 */
export async function markdownOf(
  workers: Services["workers"],
  document: string,
  addressOf: (src: string) => string,
  { who, origin }: { who?: string; origin?: string } = {},
): Promise<string> {
  const parsed = JSON.parse(document) as DocumentJson;
  const pictures = Object.fromEntries(imagesOf(parsed).map((src) => [src, addressOf(src)]));
  try {
    return (await workers.run("toMarkdown", { document, pictures, origin }, who)).markdown;
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    return serialize(() => markdownAsHtml(parsed, { picture: addressOf }));
  }
}
