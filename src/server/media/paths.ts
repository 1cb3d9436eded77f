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

/** The folder of all pictures' files, and the file that every picture has. It is stored last. */
export const [pictureFolder, fullFile] = ["media", "full.webp"];

/** Returns the key of a picture's folder, or of a file in it. */
export const pictureKey = (id: string, file?: string): string =>
  [pictureFolder, id.slice(-2), id, ...(file === undefined ? [] : [file])].join("/");

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

/**
 * For pictures that everyone can see now. They can become private: a browser can reuse them for five minutes, a shared cache
 * must revalidate them at each request.
 */
export const publicPictureCaching = "public, max-age=300, s-maxage=0, must-revalidate";

/** Returns the bytes of a picture's `data:` address; null when it is none. */
export function pictureData(address: string): Buffer | null {
  const data = /^data:image\/[\w.+-]+;base64,([A-Za-z0-9+/=\s]+)$/.exec(address)?.[1];
  return data === undefined ? null : Buffer.from(data, "base64");
}
