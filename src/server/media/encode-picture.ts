import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Sharp } from "sharp";
import sharp from "sharp";
import { cardSize } from "../../shared/cards.ts";
import { limits } from "../../shared/limits.ts";
import { widthsOf } from "./paths.ts";
import {
  damagedPicture,
  diskFull,
  tooComplexPicture,
  tooManyPixels,
  unreadablePicture,
} from "./picture-errors.ts";

const maxWidth = 1600;

export interface Encoded {
  width: number;
  height: number;
  color: string;
  widths: number[];
}

// Only these five: each decoder is an attack surface.
const loaders = ["Jpeg", "Png", "Webp", "Nsgif", "Heif"].map((name) => `VipsForeignLoad${name}`);
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({ operation: loaders });
sharp.concurrency(1);
sharp.cache(false);

/** Encodes `source` to WebP files in `folder`. Throws an `AppError`. For a child process (image-pool.ts), which can be killed. */
export async function encode(source: string, folder: string): Promise<Encoded> {
  const bytes = stripTextChunks(await readFile(source));
  const open = (pages = 1) => sharp(bytes, { limitInputPixels: limits.image.pixels, failOn: "error", pages });
  const { pages = 1 } = await open()
    .metadata()
    .catch((cause: unknown) => {
      throw refusalOf(cause) ?? unreadablePicture(cause);
    });
  try {
    const full = path.join(folder, "full.webp");
    const output = await open(Math.min(pages, limits.image.frames))
      .timeout({ seconds: limits.image.seconds })
      .autoOrient()
      .resize({ width: maxWidth, height: limits.image.height, fit: "inside", withoutEnlargement: true })
      .webp({ quality: 82, effort: 2 })
      .toFile(full);
    const { width } = output;
    return {
      width,
      height: output.pageHeight ?? output.height,
      widths: await encodeWidths(full, width),
      color: await dominantColor(firstFrame(full)),
    };
  } catch (cause) {
    throw refusalOf(cause) ?? damagedPicture(cause);
  }
}

/** Returns a JPEG of a full picture (`jpegOf`). */
export const encodeJpeg = (full: string): Promise<Buffer> =>
  firstFrame(full)
    .flatten({ background: "#ffffff" })
    .resize({ width: cardSize.width, withoutEnlargement: true })
    .jpeg({ quality: 80 })
    .toBuffer();

const firstFrame = (full: string): Sharp => sharp(full, { pages: 1, limitInputPixels: false });

async function encodeWidths(full: string, width: number): Promise<number[]> {
  const widths = widthsOf(width);
  for (const nominal of widths)
    await firstFrame(full)
      .resize({ width: nominal, withoutEnlargement: true })
      .webp({ quality: 80, effort: 2 })
      .toFile(path.join(path.dirname(full), `${nominal}.webp`));
  return widths;
}

/** Strips a PNG's texts, which may decompress to gigabytes. */
function stripTextChunks(bytes: Buffer): Buffer {
  if (bytes[0] !== 0x89) return bytes;
  const chunks: Buffer[] = [bytes.subarray(0, 8)];
  for (let offset = 8; offset + 12 <= bytes.length;) {
    const end = offset + 12 + bytes.readUInt32BE(offset);
    const name = bytes.toString("latin1", offset + 4, offset + 8);
    if (!["tEXt", "zTXt", "iTXt"].includes(name)) chunks.push(bytes.subarray(offset, end));
    offset = end;
  }
  return Buffer.concat(chunks);
}

async function dominantColor(picture: Sharp): Promise<string> {
  const data = await picture
    .flatten({ background: "#ffffff" })
    .resize(1, 1, { fit: "fill" })
    .toColourspace("srgb")
    .raw()
    .toBuffer();
  return `#${[data[0], data[1], data[2]].map((channel) => (channel ?? 0).toString(16).padStart(2, "0")).join("")}`;
}

function refusalOf(cause: unknown) {
  const message = cause instanceof Error ? cause.message : "";
  if (/pixel limit/i.test(message)) return tooManyPixels(cause);
  if (/no space left|quota exceeded/i.test(message)) return diskFull(cause);
  return /timeout/i.test(message) ? tooComplexPicture(cause) : undefined;
}
