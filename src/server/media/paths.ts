import type { CoverPoint, Picture } from "../../shared/blogs.ts";

/** The columns of a picture that a page needs. */
export interface PictureRow {
  id: string;
  width: number;
  height: number;
  color: string;
  widths: number[];
}

/** Widths that are kept beside the full picture, where it is wider; the smallest always, for avatars. */
const keptWidths = [192, 480, 960] as const;
export const widthsOf = (width: number): number[] =>
  keptWidths.filter((nominal, index) => index === 0 || nominal < width);

/** Where the files of a picture lie below the folder of all: the id is a UUID, nothing of it can climb out. */
export const folderOfPicture = (id: string): string => `${id.slice(-2)}/${id}`;

export const picturePath = (id: string, width: number | "full" = "full"): string =>
  `/media/${id}/${width}.webp`;

/** The small square of a person; null where they have none and the page draws initials. */
export const avatarPath = (pictureId: string | null): string | null =>
  pictureId ? picturePath(pictureId, 192) : null;

/** The id in one of our own picture paths, signed or not, or null. */
export const pictureIdOf = (src: string): string | null =>
  /^\/media\/([0-9a-f-]{36})\/(?:full|\d+)\.webp(?:\?|$)/.exec(src)?.[1] ?? null;

export const srcsetOf = ({ id, width, widths }: PictureRow): string =>
  [
    ...widths
      .filter((nominal) => nominal < width)
      .map((nominal) => `${picturePath(id, nominal)} ${nominal}w`),
    `${picturePath(id)} ${width}w`,
  ].join(", ");

/** A cover with the point of it that stays in view. */
export function presentCover(row: PictureRow | null, focus: CoverPoint | null | undefined): Picture | null {
  const cover = presentPicture(row);
  return cover && focus ? { ...cover, focus } : cover;
}

export const presentPicture = (row: PictureRow | null): Picture | null =>
  row
    ? {
        id: row.id,
        src: picturePath(row.id),
        srcset: srcsetOf(row),
        width: row.width,
        height: row.height,
        color: row.color,
      }
    : null;
