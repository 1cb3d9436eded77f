import type { NodeSpec } from "prosemirror-model";
import { hasClass } from "./dom.ts";
import { RefusedValue } from "./document-error.ts";
import { blogAt, hasCard } from "./embeds.ts";
import { documentLimits as limits } from "./limits.ts";
import { cleanLabel, isLabel } from "./values.ts";

function isEmbeddable(value: unknown): void {
  if (!hasCard(value))
    throw new RefusedValue(
      "This text has a card of a place that is not known here. Please use a link instead.",
    );
}

const label = (dom: Element, name: string, length: number) =>
  cleanLabel(dom.getAttribute(`data-${name}`), length);

/** Without a title, while nothing is known about the page, it is a link. */
export const embedNodes = {
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
  },
} satisfies Record<string, NodeSpec>;
