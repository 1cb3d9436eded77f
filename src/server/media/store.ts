import { createHash } from "node:crypto";
import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Sharp } from "sharp";
import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { newId } from "../ids.ts";

/** Widths that are kept beside the full picture, where it is wider; the smallest always, for avatars. */
const widths = [192, 480, 960] as const;
const widest = 1600;
const types = new Set(["jpeg", "png", "gif", "webp"]);
const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A picture as it was stored: what the `media` row holds. */
export interface StoredPicture {
  id: string;
  hash: string;
  type: "jpeg" | "png" | "webp" | "gif";
  width: number;
  height: number;
  bytes: number;
  color: string;
  widths: number[];
}

/** Pictures as files under `DATA_DIR/media`, re-encoded as WebP: nothing of what came in is served, its metadata is gone. */
export class MediaStore {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Where the files of a picture lie. The id is a UUID: nothing of it can climb out of the folder. */
  folderOf(id: string): string {
    return path.join(this.folder, id.slice(-2), id);
  }

  /**
   * Stores a picture. The type is read from the bytes, never from a name. Throws `wrong_type` for anything but the
   * `accepted` ones (jpeg, png, gif, webp), `too_large` beyond 8 MB or 40 megapixels, `bad_request` for a broken one.
   */
  async store(
    bytes: Buffer,
    accepted: readonly string[] = ["jpeg", "png", "gif", "webp"],
  ): Promise<StoredPicture> {
    if (bytes.length === 0) throw new AppError("wrong_type", "That file is empty.");
    if (bytes.length > limits.image.bytes) throw new AppError("too_large", "A picture has at most 8 MB.");
    const { default: sharp } = await import("sharp");
    const open = (pages = 1) =>
      sharp(bytes, { limitInputPixels: limits.image.pixels, failOn: "error", pages });
    const metadata = await open()
      .metadata()
      .catch((cause: unknown) => {
        throw (
          pixelError(cause) ??
          new AppError("wrong_type", "That is not a picture we can read. Please use PNG or JPEG.", { cause })
        );
      });
    const type = metadata.format;
    if (!types.has(type) || !accepted.includes(type))
      throw new AppError(
        "wrong_type",
        `Pictures of this kind are not taken here. Please use ${accepted.map((name) => name.toUpperCase()).join(", ")}.`,
      );
    if (metadata.width * metadata.height > limits.image.pixels)
      throw new AppError("too_large", "A picture has at most 40 megapixels.");

    const id = newId();
    const folder = this.folderOf(id);
    const part = `${folder}.part`;
    await mkdir(part, { recursive: true });
    try {
      const animated = type === "gif" || type === "webp" ? (metadata.pages ?? 1) > 1 : false;
      const upright = await open(animated ? Math.min(metadata.pages ?? 1, 200) : 1)
        .autoOrient()
        .resize({ width: widest, withoutEnlargement: true })
        .webp({ quality: 82, effort: 2 })
        .toBuffer({ resolveWithObject: true });
      const { width } = upright.info;
      const height = upright.info.pageHeight ?? upright.info.height;
      await writeFile(path.join(part, "full.webp"), upright.data);
      const still = () => sharp(upright.data, { pages: 1, limitInputPixels: false });
      const kept = widths.filter((nominal, index) => index === 0 || nominal < width);
      await Promise.all(kept.map((nominal) => variant(still(), nominal, path.join(part, `${nominal}.webp`))));
      const color = await dominantColor(still());
      await mkdir(path.dirname(folder), { recursive: true });
      await rename(part, folder);
      return {
        id,
        hash: createHash("sha256").update(bytes).digest("hex"),
        type: type as StoredPicture["type"],
        width,
        height,
        bytes: bytes.length,
        color,
        widths: [...kept],
      };
    } catch (cause) {
      await rm(part, { recursive: true, force: true });
      if (cause instanceof AppError) throw cause;
      throw (
        pixelError(cause) ??
        new AppError("bad_request", "That picture is damaged and can't be read. Please try another.", {
          cause,
        })
      );
    }
  }

  /** Deletes a picture's files, whether they were stored to the end or not. */
  async remove(id: string): Promise<void> {
    const folder = this.folderOf(id);
    for (const each of [folder, `${folder}.part`]) await rm(each, { recursive: true, force: true });
  }

  /** The ids of pictures that have files from before a time, some of them at once. */
  async *storedBefore(time: number): AsyncGenerator<string[]> {
    for (const part of await readdir(this.folder).catch(() => [])) {
      const ids: string[] = [];
      for (const name of await readdir(path.join(this.folder, part)).catch(() => [])) {
        const id = name.replace(/\.part$/, "");
        const file = await stat(path.join(this.folder, part, name)).catch(() => undefined);
        if (isId.test(id) && file && file.mtimeMs < time) ids.push(id);
      }
      if (ids.length > 0) yield ids;
    }
  }
}

const variant = (picture: Sharp, width: number, file: string) =>
  picture.resize({ width, withoutEnlargement: true }).webp({ quality: 80, effort: 2 }).toFile(file);

async function dominantColor(picture: Sharp): Promise<string> {
  const { data } = await picture
    .flatten({ background: "#ffffff" })
    .resize(1, 1, { fit: "fill" })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return `#${[data[0], data[1], data[2]].map((channel) => (channel ?? 0).toString(16).padStart(2, "0")).join("")}`;
}

function pixelError(cause: unknown): AppError | undefined {
  return cause instanceof Error && /pixel limit/i.test(cause.message)
    ? new AppError("too_large", "A picture has at most 40 megapixels.", { cause })
    : undefined;
}
