import MarkdownIt from "markdown-it";
import footnote from "markdown-it-footnote";
import { blocks } from "./blocks.ts";

const renderer = new MarkdownIt({ html: true, linkify: true }).use(footnote);
for (const { fromMarkdown } of blocks) fromMarkdown?.(renderer);
// "README.md" and "main.rs" are no websites, though .md and .rs are top-level domains.
renderer.linkify.set({ fuzzyLink: false, fuzzyEmail: false });

/**
 * Converts Markdown (CommonMark with tables, strikethrough, footnotes, tasks, formulas, GitHub's callouts, bare URLs and HTML)
 * to HTML for the document's parser.
 */
export const markdownToHtml = (markdown: string, env: MarkdownEnv = {}): string =>
  renderer.render(markdown, env);

export type MarkdownEnv = {
  /** Its blogs have cards. */
  origin?: string | undefined;
};
