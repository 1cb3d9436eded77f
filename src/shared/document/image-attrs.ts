import { documentLimits as limits } from "./limits.ts";
import {
  cleanLabel,
  isImageSource,
  isLabel,
  isLabelOrNull,
  isWholeBetween,
  isWholeOrNull,
  safeImageSource,
} from "./values.ts";

export const imageAttrs = {
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
export function readImage(dom: Element) {
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
