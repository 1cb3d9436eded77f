import type { DocumentJson } from "../../../shared/document/schema.ts";
import { safeLink } from "../../../shared/document/values.ts";
import { parseHtml, type StoredImage } from "../../blogs/parse-html.ts";
import { markdownToHtml } from "../../../shared/document/from-markdown.ts";
import { plainMarkup } from "./markup.ts";
import { withoutShortcodes } from "./shortcodes.ts";

export interface MarkdownOptions {
  /** Asked for every picture given by a path, as it is written (percent-encoded); null leaves its description as text. */
  resolveImage?: (path: string) => Promise<StoredImage | null> | StoredImage | null;
  /** Asked for every link that is no full address; without it, or where it answers null, only the link's text stays. */
  resolveLink?: (href: string) => string | null;
  /** Asked for what is a full address; without it these stay. */
  resolveAddress?: (href: string) => string | null;
  /** Asked for pictures that are elsewhere; without it these stay. */
  resolveForeign?: (src: string) => StoredImage | "keep";
  /** False where no generator of sites had its hand in it: what looks like a shortcode is text. */
  shortcodes?: boolean;
  /** This site's origin: the address of a blog of it that stands alone is a card. */
  origin?: string | undefined;
}

export interface ReadMarkdown {
  document: DocumentJson;
  /** The links of which only the text is left: to places within the text, beside the file, or not allowed. */
  droppedLinks: string[];
  /** The names of what only a generator of sites knows, and what is not here any more. */
  unknown: string[];
}

/**
 * Markdown (CommonMark with tables, strikethrough, footnotes, task lists, bare addresses, common shortcodes and HTML) as a
 * document, by way of HTML and the schema. Throws `DocumentError` where the text is too long or too deep.
 */
export async function markdownToDocument(
  markdown: string,
  options: MarkdownOptions = {},
): Promise<ReadMarkdown> {
  const { text, unknown } =
    options.shortcodes === false ? { text: markdown, unknown: [] } : withoutShortcodes(markdown);
  const read = await htmlToDocument(markdownToHtml(text, { origin: options.origin }), options);
  return { ...read, unknown };
}

/** The same for HTML of another site. */
export async function htmlToDocument(
  html: string,
  { resolveImage, resolveLink, resolveAddress, resolveForeign }: MarkdownOptions = {},
): Promise<Omit<ReadMarkdown, "unknown">> {
  const droppedLinks: string[] = [];
  const document = await parseHtml(plainMarkup(html), {
    placeImage: (src) =>
      /^https?:/i.test(src)
        ? (resolveForeign?.(src) ?? "keep")
        : isAddress(src)
          ? null
          : (resolveImage?.(src) ?? null),
    placeLink: (href) => {
      const placed = isAddress(href)
        ? (resolveAddress?.(href) ?? safeLink(href))
        : (resolveLink?.(href) ?? null);
      if (placed === null) droppedLinks.push(href);
      return placed;
    },
  });
  return { document, droppedLinks };
}

const isAddress = (href: string) => /^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(href);
