import type { DocumentJson } from "../../../shared/document/schema.ts";
import { safeLink } from "../../../shared/document/values.ts";
import { parseHtml, type StoredImage } from "../../text/parse-html.ts";
import { markdownToHtml } from "../../../shared/document/from-markdown.ts";
import { tidy } from "../reading/tidy.ts";

export interface MarkdownOptions {
  /** Called for picture paths as written (percent-encoded); null keeps only the description. */
  resolveImage?: (path: string) => Promise<StoredImage | null> | StoredImage | null;
  /** Called for links that are no full address. Without it, or for null, only the text stays. */
  resolveLink?: (href: string) => string | null;
  /** Called for full addresses; without it they stay. */
  resolveAddress?: (href: string) => string | null;
  /** Called for pictures elsewhere; without it they stay. */
  resolveForeign?: (src: string) => StoredImage | "keep";
  /** This site's origin: its blogs' addresses become cards when alone in a paragraph. */
  origin?: string | undefined;
}

export interface ReadMarkdown {
  document: DocumentJson;
  /** Links reduced to text: to places within it, to files, or disallowed. */
  droppedLinks: string[];
  /** Report lines about parts that were removed. */
  problems: string[];
}

/**
 * Converts Markdown (CommonMark, tables, strikethrough, footnotes, task lists, bare addresses, HTML) to a document via HTML.
 * Throws `DocumentError` when it is too long or deep.
 */
export async function markdownToDocument(
  markdown: string,
  options: MarkdownOptions = {},
): Promise<ReadMarkdown> {
  const problems = new Set<string>();
  const reportProblem = (problem: string) => void problems.add(problem);
  const html = tidy(markdownToHtml(markdown, { origin: options.origin }), { reportProblem });
  return { ...(await htmlToDocument(html, options)), problems: [...problems] };
}

/** Converts HTML of another site to a document. */
export async function htmlToDocument(
  html: string,
  { resolveImage, resolveLink, resolveAddress, resolveForeign }: MarkdownOptions = {},
): Promise<Omit<ReadMarkdown, "problems">> {
  const droppedLinks: string[] = [];
  const document = await parseHtml(html, {
    placeImage: (src) =>
      /^https?:/i.test(src)
        ? (resolveForeign?.(src) ?? "keep")
        : isAddress(src)
          ? null
          : (resolveImage?.(src) ?? null),
    placeLink: (href) => {
      const resolved = isAddress(href)
        ? (resolveAddress?.(href) ?? safeLink(href))
        : (resolveLink?.(href) ?? null);
      if (resolved === null) droppedLinks.push(href);
      return resolved;
    },
  });
  return { document, droppedLinks };
}

const isAddress = (href: string) => /^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(href);
