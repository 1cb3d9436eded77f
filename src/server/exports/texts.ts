import { trimDocument } from "../../shared/document/trim-document.ts";
import type { NodeJson } from "../../shared/document/schema.ts";
import { draftOf } from "../blogs/draft-queries.ts";
import { readDraftDocument } from "../blogs/draft-text-queries.ts";
import type { Context } from "../context.ts";
import { blogText } from "./queries.ts";
import type { ExportedBlog } from "./rows.ts";

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
