import type { CoverPoint, Picture } from "../../shared/blogs.ts";

export interface PictureRow {
  id: string;
  width: number;
  height: number;
  color: string;
  widths: number[];
}

/** Stored beside wider full pictures; the smallest always, for avatars. */
const storedWidths = [192, 480, 960] as const;
export const widthsOf = (width: number): number[] =>
  storedWidths.filter((nominal, index) => index === 0 || nominal < width);

/** Returns a path below the media folder. The id is a UUID: no path traversal. */
export const folderOfPicture = (id: string): string => `${id.slice(-2)}/${id}`;

export const picturePath = (id: string, width: number | "full" = "full"): string =>
  `/media/${id}/${width}.webp`;

/** Returns the path of a person's avatar; null when the page draws initials. */
export const avatarPath = (pictureId: string | null): string | null =>
  pictureId ? picturePath(pictureId, 192) : null;

/** Returns the id in a path of ours, signed or not, or null. */
export const pictureIdOf = (src: string): string | null =>
  /^\/media\/([0-9a-f-]{36})\/(?:(?:full|\d+)\.webp|preview\.jpg)(?:\?|$)/.exec(src)?.[1] ?? null;

export const srcsetOf = ({ id, width, widths }: PictureRow): string =>
  [
    ...widths
      .filter((nominal) => nominal < width)
      .map((nominal) => `${picturePath(id, nominal)} ${nominal}w`),
    `${picturePath(id)} ${width}w`,
  ].join(", ");

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
