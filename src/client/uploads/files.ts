import { limits } from "../../shared/limits.ts";
import { inTurns } from "./turns.ts";

export type PictureUse = "cover" | "text" | "profile";

/** The media store's types (server/media/store.ts). */
const storedTypes = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"];
/** What phones write. */
const phoneTypes = ["image/heic", "image/heif"];
/** What people also paste and choose: the browser converts it to PNG or JPEG if it can. */
const convertedTypes = [
  "image/bmp",
  "image/x-ms-bmp",
  "image/x-icon",
  "image/vnd.microsoft.icon",
  "image/svg+xml",
  ...phoneTypes,
];
/** Conversion would lose the animation. */
const animatedTypes = ["image/gif"];

/** The accepted types for each use, and their description. */
const acceptedTypes: Record<PictureUse, { types: readonly string[]; named: string }> = {
  cover: { types: ["image/png", "image/jpeg", ...phoneTypes], named: "a .png, .jpg or .jpeg picture" },
  text: {
    types: [...storedTypes, ...convertedTypes],
    named: "a PNG, JPEG, GIF, WebP, AVIF, SVG, HEIC or BMP picture",
  },
  profile: { types: [...storedTypes, ...phoneTypes], named: "a PNG, JPEG, GIF, WebP, AVIF or HEIC picture" },
};

/** Types that a system may not know: Windows and Linux report none for HEIC. */
const typeOfExtension = /\.(heic|heif|avif|webp)$/i;

/** Returns the value of a file field's `accept`, with extensions for systems that do not know a type. */
export const acceptAttribute = (use: PictureUse): string =>
  [...acceptedTypes[use].types, ".heic", ".heif"].join(",");

/** A `Blob` or `File`. */
interface NamedFile {
  type: string;
  name?: string;
}

/** Returns a file's type, by its name if the system does not know it. */
export function typeOf({ type, name = "" }: NamedFile): string {
  const extension = typeOfExtension.exec(name)?.[1];
  return extension && /^(?:application\/octet-stream)?$/.test(type)
    ? `image/${extension.toLowerCase()}`
    : type;
}

export const megabytes = limits.image.bytes / 1024 / 1024;
/** The largest file read to be made smaller, in megabytes. */
export const maxReadMegabytes = 100;
/** Pixels of a converted picture. */
const maxWidth = 2400;
const maxPixels = 12_000_000;
/** Two at once: a decoded picture needs four bytes a pixel. */
const inConversionTurn = inTurns(2);

/** Returns why a file is refused before it is sent. */
export function refusalReason(file: NamedFile & { size: number }, use: PictureUse): string | null {
  const { types, named } = acceptedTypes[use];
  const type = typeOf(file);
  if (!types.includes(type)) return `That file can't be used here. Choose ${named}.`;
  const most = animatedTypes.includes(type) ? megabytes : maxReadMegabytes;
  if (file.size > most * 1024 * 1024) return `That picture is too large. It can have up to ${most} MB.`;
  if (file.size === 0) return "That file is empty.";
  return null;
}

/** Returns why a picture cannot be converted here, and what to do. */
export const unreadableMessage = (file: NamedFile): string =>
  phoneTypes.includes(typeOf(file))
    ? "This browser can’t read HEIC pictures. Save it as JPEG, or add it in Safari."
    : "This browser can’t read that picture. Save it as a smaller JPEG or PNG, and try again.";

/**
 * Returns the scale at which a picture is at most 2,400 pixels wide. A long screenshot stays as wide as it can: only the height
 * of a WebP file and 12 megapixels, which every browser has a canvas for, make it narrower.
 */
export const scaleToFit = (width: number, height: number): number =>
  Math.min(maxWidth / width, limits.image.height / height, Math.sqrt(maxPixels / (width * height)));

/**
 * Converts a picture for the media store: unsupported types, and files of too many bytes or pixels, become a PNG if small enough,
 * else a JPEG. Throws when the browser cannot read it, or `isCancelled` before its turn.
 */
export async function toStorable(file: Blob, isCancelled = (): boolean => false): Promise<Blob> {
  if (!(await isConverted(file))) return file;
  return inConversionTurn(() => {
    if (isCancelled()) throw new Error("Cancelled.");
    return convert(file);
  });
}

async function isConverted(file: Blob): Promise<boolean> {
  const type = typeOf(file);
  if (convertedTypes.includes(type) || file.size > limits.image.bytes) return true;
  if (animatedTypes.includes(type)) return false;
  const size = await measure(file);
  return size !== null && size.width * size.height > limits.image.pixels;
}

/** Reads a picture's size without decoding its pixels; null if the browser cannot read it: the server may. */
function measure(file: Blob): Promise<{ width: number; height: number } | null> {
  const address = URL.createObjectURL(file);
  const picture = new Image();
  const size = new Promise<{ width: number; height: number } | null>((resolve) => {
    picture.onload = () => resolve({ width: picture.naturalWidth, height: picture.naturalHeight });
    picture.onerror = () => resolve(null);
  });
  picture.src = address;
  return size.finally(() => URL.revokeObjectURL(address));
}

async function convert(file: Blob): Promise<Blob> {
  const canvas = await drawToCanvas(file);
  const asPhotograph = /jpeg|hei[cf]/.test(typeOf(file));
  const png = asPhotograph ? null : await encodeCanvas(canvas, "image/png");
  if (png && png.size <= limits.image.bytes) return png;
  const context = canvas.getContext("2d")!;
  // JPEG has no transparency: it would be black.
  context.globalCompositeOperation = "destination-over";
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  const jpeg = await encodeCanvas(canvas, "image/jpeg", 0.86);
  return jpeg.size <= limits.image.bytes ? jpeg : encodeCanvas(canvas, "image/jpeg", 0.6);
}

async function drawToCanvas(file: Blob): Promise<HTMLCanvasElement> {
  const isDrawn = file.type === "image/svg+xml";
  const picture = isDrawn ? await decodeSvg(file) : await createImageBitmap(file);
  const { width, height } = picture;
  // A drawing is scaled up, too, so that its lines are sharp.
  const scale = Math.min(isDrawn ? Infinity : 1, scaleToFit(width, height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const context = canvas.getContext("2d")!;
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  if ("close" in picture) picture.close();
  return canvas;
}

/** As an image, an SVG runs no scripts and loads nothing. */
async function decodeSvg(file: Blob): Promise<HTMLImageElement> {
  const address = URL.createObjectURL(file);
  try {
    const picture = new Image();
    picture.src = address;
    await picture.decode();
    picture.width = picture.naturalWidth || maxWidth;
    picture.height = picture.naturalHeight || maxWidth;
    return picture;
  } finally {
    URL.revokeObjectURL(address);
  }
}

function encodeCanvas(canvas: HTMLCanvasElement, type: string, quality?: number): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error("We couldn’t read the picture."))),
      type,
      quality,
    );
  });
}
