import type { CSSProperties } from "react";
import type { Picture } from "../../../shared/blogs.ts";

/** Returns the cover's focus point as `object-position`; undefined for the centre. */
export const focusPosition = ({ focus }: Picture): string | undefined => focus && `${focus.x}% ${focus.y}%`;

/** Returns the `img` attributes of a picture, except `sizes` and `alt`, with its colour as placeholder. */
export const pictureProps = (picture: Picture) => ({
  src: picture.src,
  srcSet: picture.srcset || undefined,
  width: picture.width,
  height: picture.height,
  style: { backgroundColor: picture.color, objectPosition: focusPosition(picture) } as CSSProperties,
});
