import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Sharp } from "sharp";
import sharp from "sharp";
import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { widthsOf } from "./paths.ts";
import { damaged, tooCostly, tooManyPixels, unread } from "./refusals.ts";

const widest = 1600;

/** What is made of a picture that came in: the files lie in its folder by then. */
export interface Encoded {
  width: number;
  height: number;
  color: string;
  widths: number[];
}

// What is not one of these five is not even looked at: each reader is another door.
const readers = ["Jpeg", "Png", "Webp", "Nsgif", "Heif"].map((name) => `VipsForeignLoad${name}`);
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({ operation: readers });
sharp.concurrency(1);
sharp.cache(false);

/**
 * Makes WebP files of the picture in `source`, in `folder`. Throws an `AppError`. Runs in a process of its own
 * (workshop.ts), which may be killed.
 */
export async function encode(source: string, folder: string): Promise<Encoded> {
  const bytes = withoutTexts(await readFile(source));
  const open = (pages = 1) => sharp(bytes, { limitInputPixels: limits.image.pixels, failOn: "error", pages });
  const { pages = 1 } = await open()
    .metadata()
    .catch((cause: unknown) => {
      throw refusalOf(cause) ?? unread(cause);
    });
  try {
    const full = path.join(folder, "full.webp");
    const upright = await open(Math.min(pages, limits.image.frames))
      .timeout({ seconds: limits.image.seconds })
      .autoOrient()
      .resize({ width: widest, withoutEnlargement: true })
      .webp({ quality: 82, effort: 2 })
      .toFile(full);
    const { width } = upright;
    return {
      width,
      height: upright.pageHeight ?? upright.height,
      widths: await makeSmaller(full, width),
      color: await dominantColor(stillOf(full)),
    };
  } catch (cause) {
    throw refusalOf(cause) ?? damaged(cause);
  }
}

/** Makes the smaller files beside a full one that an export of this program brought, which stays as it is. Throws an `AppError`. */
export async function encodeAgain(full: string): Promise<Encoded> {
  try {
    const { format, width, height, pageHeight } = await sharp(full, { limitInputPixels: limits.image.pixels })
      .metadata()
      .catch((cause: unknown) => {
        throw refusalOf(cause) ?? unread(cause);
      });
    if (format !== "webp" || width > widest) throw unread();
    return {
      width,
      height: pageHeight ?? height,
      widths: await makeSmaller(full, width),
      color: await dominantColor(stillOf(full)),
    };
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw refusalOf(cause) ?? damaged(cause);
  }
}

const stillOf = (full: string): Sharp => sharp(full, { pages: 1, limitInputPixels: false });

async function makeSmaller(full: string, width: number): Promise<number[]> {
  const kept = widthsOf(width);
  for (const nominal of kept)
    await stillOf(full)
      .resize({ width: nominal, withoutEnlargement: true })
      .webp({ quality: 80, effort: 2 })
      .toFile(path.join(path.dirname(full), `${nominal}.webp`));
  return kept;
}

/** A PNG without the texts in it, which may unfold to gigabytes and are not kept. */
function withoutTexts(bytes: Buffer): Buffer {
  if (bytes[0] !== 0x89) return bytes;
  const kept: Buffer[] = [bytes.subarray(0, 8)];
  for (let at = 8; at + 12 <= bytes.length;) {
    const end = at + 12 + bytes.readUInt32BE(at);
    const name = bytes.toString("latin1", at + 4, at + 8);
    if (!["tEXt", "zTXt", "iTXt"].includes(name)) kept.push(bytes.subarray(at, end));
    at = end;
  }
  return Buffer.concat(kept);
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
  return /timeout/i.test(message) ? tooCostly(cause) : undefined;
}
