import type { CSSProperties } from "react";
import type { Picture } from "../../../shared/blogs.ts";

/** Where a cover lies in a place that crops it, as CSS says it; undefined: by its middle, as any picture. */
export const positionOf = ({ focus }: Picture): string | undefined => focus && `${focus.x}% ${focus.y}%`;

/** A picture as an `img` has it, its colour in its place until it has come; `sizes` and `alt` are the place's own. */
export const pictureProps = (picture: Picture) => ({
  src: picture.src,
  srcSet: picture.srcset || undefined,
  width: picture.width,
  height: picture.height,
  style: { backgroundColor: picture.color, objectPosition: positionOf(picture) } as CSSProperties,
});
