import type { Node as DocumentNode } from "prosemirror-model";
import type { Block, HtmlPage, MarkdownReader } from "../block.ts";
import { RefusedValue } from "../document-error.ts";
import { elementsNamed, hasClass, isElement, ownerOf, tagOf } from "../dom.ts";
import { blogAt, embeddable, hasCard, type EmbedCard } from "../embeds.ts";
import { framePage } from "../frame-pages.ts";
import type { MarkdownEnv } from "../from-markdown.ts";
import { escapeHtml, openTag, type Attributes } from "../html-tags.ts";
import { documentLimits as limits } from "../limits.ts";
import { isOwnPath } from "../own-links.ts";
import { cleanLabel, isLabel, safeLink } from "../values.ts";

function isEmbeddable(value: unknown): void {
  if (!hasCard(value))
    throw new RefusedValue(
      "This text has a card of a place that is not known here. Please use a link instead.",
    );
}

const label = (dom: Element, name: string, length: number) =>
  cleanLabel(dom.getAttribute(`data-${name}`), length);

/** A card of a page elsewhere or of a blog here. Without a title, while nothing is known about the page, it is a link. */
export const embedBlock = {
  nodes: {
    embed: {
      group: "block",
      attrs: {
        href: { validate: isEmbeddable },
        title: { default: "", validate: isLabel(limits.embed.title) },
        author: { default: "", validate: isLabel(limits.embed.author) },
        text: { default: "", validate: isLabel(limits.embed.text) },
      },
      parseDOM: [
        {
          tag: "figure",
          getAttrs: (dom) => {
            const href = hasClass(dom, "embed") ? dom.getAttribute("data-href") : null;
            if (!hasCard(href)) return false;
            // A blog's content is for its own readers.
            if (blogAt(href) !== null) return { href };
            return {
              href,
              title: label(dom, "title", limits.embed.title),
              author: label(dom, "author", limits.embed.author),
              text: label(dom, "text", limits.embed.text),
            };
          },
        },
      ],
      toDOM: ({ attrs: { href, title, author, text } }) => [
        "figure",
        {
          class: "embed",
          "data-href": href as string,
          "data-title": (title as string) || null,
          "data-author": (author as string) || null,
          "data-text": (text as string) || null,
        },
      ],
      html: { attributes: cardAttributes, before: cardLink },
      // A URL alone on a line is read back as a card.
      markdown: ({ attrs: { href, title, text, author } }) =>
        title || text || author ? null : `<${String(href)}>`,
      text({ href, title, author, text }) {
        const lines = title ? [title, text, author].filter(Boolean) : [href ?? ""];
        return `${lines.join("\n")}\n`;
      },
      // A blog's content is for its own readers: only the URL is stored.
      stored: (attrs) => (blogAt(attrs.href) === null ? attrs : { href: attrs.href }),
    },
  },
  fromMarkdown: readLoneAddresses,
  straighten: straightenFrames,
} satisfies Block;

const isOwnBlog = (href: string, origin: string | undefined): boolean =>
  origin !== undefined && blogAt(href, origin) !== null;

function cardAttributes({ attrs }: DocumentNode, { options: { origin } }: HtmlPage): Attributes {
  const { href, title } = attrs as EmbedCard & { href: string };
  // Readers may see different content, so the page fetches it.
  if (isOwnBlog(href, origin)) return { "data-blog": blogAt(href, origin) };
  return title === "" ? {} : { "data-frame": embeddable(href)?.frame };
}

/** Renders a link to the embedded page; the player loads only on request. */
function cardLink({ attrs }: DocumentNode, { options: { origin } }: HtmlPage): string {
  const { href, title, author, text } = attrs as EmbedCard & { href: string };
  const link = openTag("a", { href, rel: isOwnBlog(href, origin) ? null : "nofollow noopener ugc" });
  if (title === "" || blogAt(href) !== null)
    return `${link}${escapeHtml(isOwnPath(href) ? (origin ?? "") + href : href)}</a>`;
  const from = [author, embeddable(href)?.place].filter(Boolean).join(" · ");
  const textHtml = text === "" ? "" : `<span>${escapeHtml(text)}</span>`;
  return `${link}<strong>${escapeHtml(title)}</strong>${textHtml}<small>${escapeHtml(from)}</small></a>`;
}

/** Turns a URL alone on a line into a card, if it can have one. */
function readLoneAddresses(markdown: MarkdownReader): void {
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

/** The most characters of a frame's title that become its link's text. */
const titleLength = 200;

/** Replaces frames and players, which the parser would drop, by a card or a link. */
function straightenFrames(root: Node): void {
  for (const frame of elementsNamed(root, "iframe", "frame", "embed", "object", "video", "audio")) {
    if (isHidden(frame)) continue;
    const href = pageOf(frame);
    if (href)
      frame.parentNode?.replaceChild(hasCard(href) ? cardOf(frame, href) : linkOf(frame, href), frame);
  }
}

/** Frames that nobody sees count visits or sign people in. */
function isHidden(frame: Element): boolean {
  const style = frame.getAttribute("style") ?? "";
  return (
    frame.hasAttribute("hidden") ||
    /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(style) ||
    ["width", "height"].some((name) => /^\s*[01](?:px)?\s*$/.test(frame.getAttribute(name) ?? ""))
  );
}

/** Returns the page of another site that a frame or player shows. */
function pageOf(frame: Element): string | null {
  const own = pageIn(frame);
  if (own) return own;
  for (let child = frame.firstChild; child; child = child.nextSibling)
    if (isElement(child) && ["source", "embed"].includes(tagOf(child))) {
      const page = pageIn(child);
      if (page) return page;
    }
  return null;
}

function pageIn(element: Element): string | null {
  for (const name of ["src", "data", "data-src"]) {
    const address = element.getAttribute(name)?.trim().replace(/^\/\//, "https://");
    const href = address && safeLink(framePage(address) ?? address);
    if (href && /^https?:/i.test(href)) return href;
  }
  return null;
}

function cardOf(frame: Element, href: string): Element {
  const card = ownerOf(frame).createElement("figure");
  card.setAttribute("class", "embed");
  card.setAttribute("data-href", href);
  return card;
}

function linkOf(frame: Element, href: string): Element {
  const link = ownerOf(frame).createElement("a");
  link.setAttribute("href", href);
  link.textContent = cleanLabel(frame.getAttribute("title"), titleLength).trim() || href;
  const paragraph = ownerOf(frame).createElement("p");
  paragraph.appendChild(link);
  return paragraph;
}
