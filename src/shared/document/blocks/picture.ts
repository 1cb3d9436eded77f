import type { Node } from "prosemirror-model";
import type { BlockNode, HtmlPage } from "../block.ts";
import { escapeHtml, type Attributes } from "../html-tags.ts";
import { documentLimits as limits } from "../limits.ts";
import {
  cleanLabel,
  isImageSource,
  isLabel,
  isLabelOrNull,
  isWholeBetween,
  isWholeOrNull,
  safeImageSource,
} from "../values.ts";

/* A picture, in a line or in a figure. */

/** The width of a figure: as the text (default), wider than it, or as the window. */
export const figureSizes = ["text", "wide", "full"] as const;
export type FigureSize = (typeof figureSizes)[number];

export const pictureAttrs = {
  src: { validate: isImageSource },
  alt: { default: "", validate: isLabel(limits.alt) },
  title: { default: null, validate: isLabelOrNull(limits.title) },
  width: { default: null, validate: isWholeOrNull(1, limits.imageSide) },
  height: { default: null, validate: isWholeOrNull(1, limits.imageSide) },
};

/** Parses pixels; null for percentages and invalid values. */
function pixels(value: string | null): number | null {
  const number = /^\s*(\d{1,6})(?:\.\d+)?\s*(?:px)?\s*$/i.exec(value ?? "")?.[1];
  return isWholeBetween(Number(number), 1, limits.imageSide) ? Number(number) : null;
}

/** Reads the attributes; false if a picture cannot have the URL. */
export function readPicture(dom: Element) {
  const src = safeImageSource(dom.getAttribute("src"));
  return (
    src !== null && {
      src,
      alt: cleanLabel(dom.getAttribute("alt"), limits.alt),
      title: cleanLabel(dom.getAttribute("title"), limits.title) || null,
      width: pixels(dom.getAttribute("width")),
      height: pixels(dom.getAttribute("height")),
    }
  );
}

/** Returns the text shown instead of a remote picture, which pages do not load; null for the site's own. */
export function remotePictureLabel(src: string, origin: string): string | null {
  const isElsewhere = /^https?:/i.test(src) && !src.startsWith(`${origin}/`);
  return isElsewhere ? `Picture from ${new URL(src).hostname}: a copy will be made here` : null;
}

/** What readers get: the file that fits, or a text instead of it. */
export const pictureHtml = {
  attributes: pictureAttributes,
  instead(node, { options }) {
    const replacementText = options.pictureText?.(String(node.attrs.src));
    return replacementText ? `<span class="picture-elsewhere">${escapeHtml(replacementText)}</span>` : null;
  },
} satisfies BlockNode["html"];

function pictureAttributes(node: Node, { options, parents }: HtmlPage): Attributes {
  const { src, width, height } = node.attrs as { src: string; width: number | null; height: number | null };
  const file = options.image?.(src);
  return {
    src: file?.src ?? src,
    srcset: file?.srcset,
    sizes: file?.srcset && (sizesIn(parents) ?? file.sizes),
    width: width ?? scaled(height, file?.width, file?.height),
    height: height ?? scaled(width, file?.height, file?.width),
    loading: "lazy",
    decoding: "async",
  };
}

/** Returns the picture's rendered width in its figure or pair, for choosing a file; null if as wide as the text. */
function sizesIn(parents: readonly Node[]): string | null {
  const [outer, inner] = parents.filter(({ type }) => ["figure", "figure_pair"].includes(type.name));
  const size: unknown = outer?.attrs.size;
  if (inner) return size === "text" ? "(max-width: 480px) 100vw, 340px" : "(max-width: 480px) 100vw, 50vw";
  if (size === "full") return "100vw";
  return size === "wide" ? "(min-width: 56rem) 52rem, 100vw" : null;
}

// Derives the missing side, so that the page does not shift when the picture loads.
function scaled(
  other: number | null,
  side: number | undefined,
  otherSide: number | undefined,
): number | null {
  if (!side || !otherSide) return null;
  return other === null ? side : Math.max(1, Math.round((other * side) / otherSide));
}
