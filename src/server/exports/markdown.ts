import { withNumberedNotes } from "../../shared/document/note-keys.ts";
import type { DocumentJson } from "../../shared/document/schema.ts";
import { documentToMarkdown, type MarkdownExportOptions } from "../../shared/document/to-markdown.ts";
import { markdownToDocument } from "../imports/markdown/markdown.ts";

/**
 * Returns Markdown that parses to the same document. Verifies this, because characters change meaning next to others, and
 * writes blocks that differ as HTML, at worst all.
 */
export async function roundTripMarkdown(
  stored: DocumentJson,
  { origin, ...options }: Pick<MarkdownExportOptions, "picture"> & { origin?: string | undefined } = {},
): Promise<string> {
  // Note keys are for programs; people write numbers.
  const document = withNumberedNotes(stored);
  const isSame = async (candidate: DocumentJson, asHtml: ReadonlySet<number> = new Set()): Promise<boolean> =>
    JSON.stringify(await reparse(documentToMarkdown(candidate, { asHtml }), origin)) ===
    JSON.stringify(candidate);
  const markdown = documentToMarkdown(document, options);
  if (await isSame(document)) return markdown;
  const asHtml = new Set<number>();
  for (const [index, block] of (document.content ?? []).entries())
    if (!(await isSame({ type: "doc", content: [block] }))) asHtml.add(index);
  const isEnough = asHtml.size > 0 && (await isSame(document, asHtml));
  return isEnough ? documentToMarkdown(document, { ...options, asHtml }) : markdownAsHtml(document, options);
}

/** Returns every block as HTML: the last resort. */
export const markdownAsHtml = (
  document: DocumentJson,
  options: Pick<MarkdownExportOptions, "picture"> = {},
): string => documentToMarkdown(document, { ...options, asHtml: new Set((document.content ?? []).keys()) });

/** Parses Markdown as an import would, but with pictures unchanged. */
async function reparse(markdown: string, origin: string | undefined): Promise<DocumentJson | null> {
  const resolveImage = (src: string) => ({ src, width: 0, height: 0 });
  const options = { resolveImage, origin };
  const parsed = await markdownToDocument(markdown, options).catch(() => null);
  return parsed && parsed.document;
}
