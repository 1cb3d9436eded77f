import { limits } from "../../shared/limits.ts";

/** What a picture is for: a blog's cover, its text, or somebody's profile. */
export type PictureUse = "cover" | "text" | "profile";

/** What the media store takes (server/media/store.ts). */
const stored = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"];
/** What people paste and choose besides; the browser draws it where it can, so that it travels as PNG or JPEG. */
const drawn = [
  "image/bmp",
  "image/x-ms-bmp",
  "image/x-icon",
  "image/vnd.microsoft.icon",
  "image/svg+xml",
  "image/heic",
  "image/heif",
];
/** What would lose its movement. */
const moving = ["image/gif"];

/** The media types that are taken for each use, and how that is said. */
export const taken: Record<PictureUse, { types: readonly string[]; named: string }> = {
  cover: { types: ["image/png", "image/jpeg"], named: "a .png, .jpg or .jpeg picture" },
  text: { types: [...stored, ...drawn], named: "a PNG, JPEG, GIF, WebP, AVIF, SVG or BMP picture" },
  profile: { types: stored, named: "a PNG, JPEG, GIF, WebP or AVIF picture" },
};

export const megabytes = limits.image.bytes / 1024 / 1024;
/** Megabytes that are read at all, to be made smaller. */
const mostRead = 100;
/** Pixels of the longer side of what is drawn anew. */
const side = 2400;

/** What is wrong with a file before any byte is sent, or null. */
export function refusal(file: { type: string; size: number }, use: PictureUse): string | null {
  const { types, named } = taken[use];
  if (!types.includes(file.type)) return `That file can't be used here. Choose ${named}.`;
  const most = moving.includes(file.type) ? megabytes : mostRead;
  if (file.size > most * 1024 * 1024) return `That picture is too large. It can have up to ${most} MB.`;
  if (file.size === 0) return "That file is empty.";
  return null;
}

/**
 * The picture as the media store takes it: what it does not know and what is too large is drawn anew, as PNG where that is small
 * enough and otherwise as JPEG; the rest stays as it is. Throws where the browser can't read it.
 */
export async function storable(file: Blob): Promise<Blob> {
  if (!drawn.includes(file.type) && file.size <= limits.image.bytes) return file;
  const canvas = await drawing(file);
  const asPhotograph = /jpeg|hei[cf]/.test(file.type);
  const png = asPhotograph ? null : await encoded(canvas, "image/png");
  if (png && png.size <= limits.image.bytes) return png;
  const context = canvas.getContext("2d")!;
  // A JPEG has no holes: what would be black becomes paper.
  context.globalCompositeOperation = "destination-over";
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  return encoded(canvas, "image/jpeg");
}

async function drawing(file: Blob): Promise<HTMLCanvasElement> {
  const isDrawn = file.type === "image/svg+xml";
  const picture = isDrawn ? await vector(file) : await createImageBitmap(file);
  const { width, height } = picture;
  // Lines are as fine as they are shown; of what has no size of its own that is as wide as a text.
  const scale = isDrawn ? side / Math.max(width, height) : Math.min(1, side / Math.max(width, height));
  // Icons and bitmaps stay as they are.
  const isKept = !isDrawn && file.size <= limits.image.bytes;
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(width * (isKept ? 1 : scale)));
  canvas.height = Math.max(1, Math.round(height * (isKept ? 1 : scale)));
  canvas.getContext("2d")!.drawImage(picture, 0, 0, canvas.width, canvas.height);
  if ("close" in picture) picture.close();
  return canvas;
}

/** As a picture an SVG runs nothing and fetches nothing. */
async function vector(file: Blob): Promise<HTMLImageElement> {
  const address = URL.createObjectURL(file);
  try {
    const picture = new Image();
    picture.src = address;
    await picture.decode();
    picture.width = picture.naturalWidth || side;
    picture.height = picture.naturalHeight || side;
    return picture;
  } finally {
    URL.revokeObjectURL(address);
  }
}

function encoded(canvas: HTMLCanvasElement, type: string): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error("We couldn’t read the picture."))),
      type,
      0.86,
    );
  });
}
