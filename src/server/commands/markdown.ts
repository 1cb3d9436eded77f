import MarkdownIt from "markdown-it";
import footnote from "markdown-it-footnote";
import type { DocumentJson } from "../../shared/document/schema.ts";
import { safeLink } from "../../shared/document/values.ts";
import { parseHtml, type StoredImage } from "../blogs/parse-html.ts";

export interface MarkdownOptions {
  /** Asked for every picture given by a path, as it is written (percent-encoded); null leaves its description as text. */
  resolveImage?: (path: string) => Promise<StoredImage | null> | StoredImage | null;
  /** Asked for every link that is no full address; without it, or where it answers null, only the link's text stays. */
  resolveLink?: (href: string) => string | null;
}

export interface ReadMarkdown {
  document: DocumentJson;
  /** The links of which only the text is left: to places within the text, beside the file, or not allowed. */
  droppedLinks: string[];
}

/**
 * Markdown (CommonMark with tables, strikethrough, footnotes, bare addresses and HTML) as a document, by way of HTML
 * and the schema. Throws `DocumentError` where the text is too long or too deep.
 */
export async function markdownToDocument(
  markdown: string,
  { resolveImage, resolveLink }: MarkdownOptions = {},
): Promise<ReadMarkdown> {
  const droppedLinks: string[] = [];
  const document = await parseHtml(renderer.render(markdown), {
    placeImage: (src) =>
      /^https?:/i.test(src) ? "keep" : isAddress(src) ? null : (resolveImage?.(src) ?? null),
    placeLink: (href) => {
      const placed = isAddress(href) ? safeLink(href) : (resolveLink?.(href) ?? null);
      if (placed === null) droppedLinks.push(href);
      return placed;
    },
  });
  return { document, droppedLinks };
}

const renderer = new MarkdownIt({ html: true, linkify: true }).use(footnote);
// "README.md" and "main.rs" are no web sites, though .md and .rs are countries.
renderer.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
// A document has no anchors to jump to: a note is found by its number.
renderer.renderer.rules.footnote_ref = (tokens, at) => `<sup>${Number(tokens[at]?.meta?.id) + 1}</sup>`;
renderer.renderer.rules.footnote_anchor = () => "";

const isAddress = (href: string) => /^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(href);
