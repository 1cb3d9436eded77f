import type MarkdownIt from "markdown-it";
import { hasCard } from "./embeds.ts";

export type MarkdownEnv = {
  /** Its blogs have cards. */
  origin?: string | undefined;
  /** Each line break is one, as in Ghost. */
  breaks?: boolean;
};

/** Turns a URL alone on a line into a card, if it can have one. */
export function embeds(markdown: InstanceType<typeof MarkdownIt>): void {
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
