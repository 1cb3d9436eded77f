import MarkdownIt from "markdown-it";
import footnote from "markdown-it-footnote";
import { calloutKind } from "./box-nodes.ts";
import { formulas } from "./markdown-formulas.ts";
import { toNoteKey } from "./note-keys.ts";
import { hasCard } from "./embeds.ts";

const renderer = new MarkdownIt({ html: true, linkify: true }).use(footnote).use(formulas).use(embeds);
// "README.md" and "main.rs" are no websites, though .md and .rs are top-level domains.
renderer.linkify.set({ fuzzyLink: false, fuzzyEmail: false });

type Tokens = ReturnType<typeof renderer.parse>;

renderer.renderer.rules.softbreak = (_tokens, _at, _options, env) => (env?.breaks ? "<br>\n" : "\n");

// Renders footnotes in the form that the document's parser reads.
const { rules } = renderer.renderer;
const keyOf = (tokens: Tokens, at: number): string => {
  const { id, label } = tokens[at]!.meta as { id: number; label?: string };
  const key = label === undefined ? null : toNoteKey(label);
  // A label that changes when it becomes a key could collide with another.
  return key !== null && key === label && !/^note-\d+$/.test(key) ? key : `note-${id + 1}`;
};
rules.footnote_ref = (tokens, at) => `<sup class="footnote-ref" data-note="${keyOf(tokens, at)}"></sup>`;
rules.footnote_anchor = () => "";
rules.footnote_block_open = () => `<section class="footnotes"><ol>\n`;
rules.footnote_block_close = () => "</ol></section>\n";
rules.footnote_open = (tokens, at) => `<li data-note="${keyOf(tokens, at)}">`;
rules.footnote_close = () => "</li>\n";

/** `- [ ] a task` and GitHub's `> [!NOTE]`. Before inline parsing, while escapes are still visible. */
renderer.core.ruler.after("block", "tasks_and_callouts", ({ tokens }) => {
  const quotes: number[] = [];
  const lists: string[] = [];
  for (const [at, token] of tokens.entries()) {
    if (token.type === "blockquote_open") quotes.push(at);
    else if (token.type === "blockquote_close") {
      const begin = tokens[quotes.pop() ?? -1];
      if (begin) token.tag = begin.tag;
    } else if (/^(?:bullet|ordered)_list_open$/.test(token.type)) lists.push(token.type);
    else if (/^(?:bullet|ordered)_list_close$/.test(token.type)) lists.pop();
    if (token.type !== "inline" || tokens[at - 1]?.type !== "paragraph_open") continue;
    const outer = tokens[at - 2];
    if (outer?.type === "list_item_open" && lists.at(-1) === "bullet_list_open") {
      const [sign, box] = /^\[([ xX])\][ \t]+(?=\S)/.exec(token.content) ?? [];
      if (sign === undefined) continue;
      outer.attrSet("data-checked", String(box !== " "));
      token.content = token.content.slice(sign.length);
    } else if (outer?.type === "blockquote_open") {
      const [sign, kind] =
        /^\[!(note|tip|important|warning|caution)\][ \t]*(?:\n|$)/i.exec(token.content) ?? [];
      if (sign === undefined) continue;
      outer.tag = "aside";
      outer.attrSet("class", `callout callout-${calloutKind(kind)}`);
      token.content = token.content.slice(sign.length);
      if (token.content === "") for (const one of tokens.slice(at - 1, at + 2)) one.hidden = true;
    }
  }
});

/**
 * Converts Markdown (CommonMark with tables, strikethrough, footnotes, tasks, formulas, GitHub's callouts, bare URLs and HTML)
 * to HTML for the document's parser.
 */
export const markdownToHtml = (markdown: string, env: MarkdownEnv = {}): string =>
  renderer.render(markdown, env);

type MarkdownEnv = {
  /** Its blogs have cards. */
  origin?: string | undefined;
  /** Each line break is one, as in Ghost. */
  breaks?: boolean;
};

/** Turns a URL alone on a line into a card, if it can have one. */
function embeds(markdown: InstanceType<typeof MarkdownIt>): void {
  markdown.core.ruler.push("embed", (state) => {
    const { origin } = state.env as MarkdownEnv;
    for (const [at, token] of state.tokens.entries()) {
      const [before, after] = [state.tokens[at - 1], state.tokens[at + 1]];
      const [open, text, close, more] = token.children ?? [];
      if (
        before?.type !== "paragraph_open" ||
        before.hidden ||
        !after ||
        more ||
        close?.type !== "link_close"
      )
        continue;
      const href = open?.attrGet("href");
      const isBare = open?.markup === "linkify" || open?.markup === "autolink";
      if (!isBare || !href || text?.content !== href || !hasCard(href, origin ?? "")) continue;
      before.hidden = after.hidden = true;
      token.type = "html_block";
      token.content = `<figure class="embed" data-href="${markdown.utils.escapeHtml(href)}"></figure>\n`;
    }
  });
}
