import type { Node, NodeSpec } from "prosemirror-model";
import { firstShown, hasClass, isElement, nextShown, tagOf } from "./dom.ts";
import { imageAttrs, readImage } from "./image-attrs.ts";
import { keepsSpaces } from "./keeps-spaces.ts";
import { isOneOf } from "./values.ts";

/** The width of a figure: as the text (default), wider than it, or as the window. */
export const figureSizes = ["text", "wide", "full"] as const;
export type FigureSize = (typeof figureSizes)[number];

const sizeAttrs = { size: { default: "text", validate: isOneOf(...figureSizes) } };

const sizeClass = ({ attrs }: Node, name: string): string | null =>
  attrs.size === "text" ? null : `${name}-${String(attrs.size)}`;

export const sizeInClass = (dom: Element): FigureSize =>
  hasClass(dom, "figure-full") ? "full" : hasClass(dom, "figure-wide") ? "wide" : "text";

function shownIn(dom: globalThis.Node): globalThis.Node[] {
  const shown: globalThis.Node[] = [];
  for (let node = firstShown(dom); node && shown.length < 4; node = nextShown(node)) shown.push(node);
  return shown;
}

/** Whether it has our form: a picture, linked or not, and its caption (straighten-figures.ts). */
export function isFigure(dom: globalThis.Node | null): boolean {
  if (!isElement(dom) || tagOf(dom) !== "figure") return false;
  const [first, second, ...more] = shownIn(dom);
  if (!first || !isElement(first) || more.length > 0 || (second && tagOf(second) !== "figcaption"))
    return false;
  const [inside, ...others] = tagOf(first) === "a" ? shownIn(first) : [first];
  return (
    Boolean(inside) &&
    isElement(inside) &&
    tagOf(inside) === "img" &&
    others.length === 0 &&
    readImage(inside) !== false
  );
}

export function isPair(dom: globalThis.Node | null): boolean {
  if (!isElement(dom) || tagOf(dom) !== "div" || !hasClass(dom, "figure-pair")) return false;
  const figures = shownIn(dom);
  return figures.length === 2 && figures.every((figure) => isFigure(figure));
}

/** Returns width divided by height, bounded; figures of a pair share their row by it. */
export function ratioOf({ width, height }: { width?: unknown; height?: unknown }): number {
  const ratio = Number(width) / Number(height);
  return ratio > 0 && Number.isFinite(ratio)
    ? Math.round(Math.min(Math.max(ratio, 0.2), 5) * 1000) / 1000
    : 1;
}

export const figureNodes = {
  figure: {
    group: "block",
    content: "figure_image figure_caption",
    // `check.ts` ensures that only the picture is a link.
    marks: "link",
    attrs: sizeAttrs,
    isolating: true,
    defining: true,
    draggable: true,
    parseDOM: [{ tag: "figure", getAttrs: (dom) => isFigure(dom) && { size: sizeInClass(dom) } }],
    toDOM: (node) => ["figure", { class: sizeClass(node, "figure") }, 0],
  },

  figure_image: {
    // A picture without a source is refused.
    attrs: { ...imageAttrs, src: { default: null, ...imageAttrs.src } },
    selectable: false,
    parseDOM: [{ tag: "img", priority: 60, context: "figure/", getAttrs: readImage }],
    toDOM: (node) => ["img", node.attrs],
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
} satisfies Record<string, NodeSpec>;
