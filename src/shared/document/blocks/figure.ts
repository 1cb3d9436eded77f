import type { Node } from "prosemirror-model";
import type { Block, HtmlPage } from "../block.ts";
import { RefusedValue } from "../document-error.ts";
import type { Attributes } from "../html-tags.ts";
import { keepsSpaces } from "../dom.ts";
import { documentLimits as limits } from "../limits.ts";
import { isOneOf } from "../values.ts";
import { isFigure, isPair, sizeInClass, straightenFigures } from "./figure-reading.ts";
import { figureSizes, pictureAttrs, pictureHtml, readPicture } from "./picture.ts";

const sizeAttrs = { size: { default: "text", validate: isOneOf(...figureSizes) } };

const sizeClass = ({ attrs }: Node, name: string): string | null =>
  attrs.size === "text" ? null : `${name}-${String(attrs.size)}`;

/** Returns width divided by height, bounded; figures of a pair share their row by it. */
export function ratioOf({ width, height }: { width?: unknown; height?: unknown }): number {
  const ratio = Number(width) / Number(height);
  return ratio > 0 && Number.isFinite(ratio)
    ? Math.round(Math.min(Math.max(ratio, 0.2), 5) * 1000) / 1000
    : 1;
}

/** A picture with a caption, and two of them side by side. */
export const figureBlock = {
  nodes: {
    figure: {
      group: "block",
      content: "figure_image figure_caption",
      // Only the picture is one.
      marks: "link",
      attrs: sizeAttrs,
      isolating: true,
      defining: true,
      draggable: true,
      parseDOM: [{ tag: "figure", getAttrs: (dom) => isFigure(dom) && { size: sizeInClass(dom) } }],
      toDOM: (node) => ["figure", { class: sizeClass(node, "figure") }, 0],
      html: { attributes: shareOfPair },
    },

    figure_image: {
      // A picture without a source is refused.
      attrs: { ...pictureAttrs, src: { default: null, ...pictureAttrs.src } },
      selectable: false,
      parseDOM: [{ tag: "img", priority: 60, context: "figure/", getAttrs: readPicture }],
      toDOM: (node) => ["img", node.attrs],
      html: pictureHtml,
      refusesMark: (name) => name !== "link",
    },

    figure_caption: {
      content: "(text | hard_break | footnote_ref | formula)*",
      defining: true,
      parseDOM: [
        {
          tag: "figcaption",
          context: "figure/",
          preserveWhitespace: true,
          getAttrs: (dom) => (keepsSpaces(dom) ? {} : false),
        },
        { tag: "figcaption", context: "figure/" },
      ],
      toDOM: () => ["figcaption", 0],
      html: { instead: (node) => (node.content.size === 0 ? "" : null) },
      refusesMark: () => true,
      check: checkCaption,
    },

    figure_pair: {
      group: "block",
      content: "figure figure",
      attrs: sizeAttrs,
      isolating: true,
      defining: true,
      parseDOM: [{ tag: "div", priority: 60, getAttrs: (dom) => isPair(dom) && { size: sizeInClass(dom) } }],
      toDOM: (node) => [
        "div",
        { class: ["figure-pair", sizeClass(node, "figure")].filter(Boolean).join(" ") },
        0,
      ],
    },
  },
  straighten: straightenFigures,
} satisfies Block;

/** Returns the share of the row of a pair, so that both are equally high. */
function shareOfPair({ firstChild }: Node, { options, parents }: HtmlPage): Attributes {
  if (!parents.some(({ type }) => type.name === "figure_pair")) return {};
  const { src, width, height } = (firstChild?.attrs ?? {}) as {
    src: string;
    width: unknown;
    height: unknown;
  };
  const shape = width && height ? { width, height } : options.image?.(src);
  return shape ? { style: `--ratio: ${ratioOf(shape)};` } : {};
}

function checkCaption(caption: Node): void {
  const length = caption.children.reduce(
    (sum, { text, attrs }) => sum + (text ?? String(attrs.tex ?? "")).length,
    0,
  );
  if (length > limits.caption)
    throw new RefusedValue(
      `This text has too many words below a picture: at most ${limits.caption.toLocaleString("en")} characters are possible there.`,
    );
}
