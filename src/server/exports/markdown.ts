import { withNumberedNotes } from "../../shared/document/note-keys.ts";
import type { DocumentJson } from "../../shared/document/schema.ts";
import { documentToMarkdown, type MarkdownWish } from "../../shared/document/to-markdown.ts";
import { markdownToDocument } from "../imports/markdown/markdown.ts";

/**
 * A document as Markdown that makes the same document again: it is read again, and what reads otherwise (there are a thousand
 * ways for signs to mean something beside others) is written as HTML, at worst all of it.
 */
export async function faithfulMarkdown(
  stored: DocumentJson,
  { origin, ...wish }: Pick<MarkdownWish, "picture"> & { origin?: string | undefined } = {},
): Promise<string> {
  // What a note is called is for programs: people write numbers.
  const document = withNumberedNotes(stored);
  const isSame = async (read: DocumentJson, asHtml: ReadonlySet<number> = new Set()): Promise<boolean> =>
    JSON.stringify(await readAgain(documentToMarkdown(read, { asHtml }), origin)) === JSON.stringify(read);
  const markdown = documentToMarkdown(document, wish);
  if (await isSame(document)) return markdown;
  const asHtml = new Set<number>();
  for (const [at, block] of (document.content ?? []).entries())
    if (!(await isSame({ type: "doc", content: [block] }))) asHtml.add(at);
  const isEnough = asHtml.size > 0 && (await isSame(document, asHtml));
  return isEnough ? documentToMarkdown(document, { ...wish, asHtml }) : allAsHtml(document, wish);
}

/** The last resort: a document as Markdown in which all is HTML. */
export const allAsHtml = (document: DocumentJson, wish: Pick<MarkdownWish, "picture"> = {}): string =>
  documentToMarkdown(document, { ...wish, asHtml: new Set((document.content ?? []).keys()) });

/** As an import would read it, with each picture where it was. We write no shortcodes: nobody's words are taken for one. */
async function readAgain(markdown: string, origin: string | undefined): Promise<DocumentJson | null> {
  const resolveImage = (src: string) => ({ src, width: 0, height: 0 });
  const options = { resolveImage, shortcodes: false, origin };
  const read = await markdownToDocument(markdown, options).catch(() => null);
  return read && read.document;
}
