import type { Node } from "prosemirror-model";
import type { Block } from "../block.ts";
import { htmlTag } from "../markdown-signs.ts";
import { pictureAttrs, pictureHtml, readPicture } from "./picture.ts";

/** Text, pictures and line breaks. Formulas and footnote references are with their blocks. */
export const inlineBlock = {
  nodes: {
    text: { group: "inline" },

    image: {
      group: "inline",
      inline: true,
      draggable: true,
      attrs: pictureAttrs,
      parseDOM: [{ tag: "img", getAttrs: readPicture }],
      toDOM: (node) => ["img", node.attrs],
      html: pictureHtml,
      markdown: (node, { picture }) => pictureToMarkdown(node, picture(String(node.attrs.src))),
    },

    hard_break: {
      group: "inline",
      inline: true,
      selectable: false,
      linebreakReplacement: true,
      parseDOM: [{ tag: "br" }],
      toDOM: () => ["br"],
      markdown: () => "\\\n",
      text: () => "\n",
    },
  },
} satisfies Block;

function pictureToMarkdown({ attrs }: Node, src: string): string {
  const {
    alt = null,
    title = null,
    width = null,
    height = null,
  } = attrs as Record<string, string | number | null>;
  const isPlain =
    width === null &&
    height === null &&
    !/[^!-~]|[<>\\&{]/.test(src) &&
    ![alt, title].some((text) => /[{<>\\&"[\]*_`~|\n]|:\/\//.test(String(text ?? "")));
  return isPlain
    ? `![${alt ?? ""}](<${src}>${title === null ? "" : ` "${title}"`})`
    : htmlTag("img", { src, alt, title, width, height });
}
