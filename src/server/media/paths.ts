import type { Picture } from "../../shared/blogs.ts";

/** The columns of a picture that a page needs. */
export interface PictureRow {
  id: string;
  width: number;
  height: number;
  color: string;
  widths: number[];
}

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
