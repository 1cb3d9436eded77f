import { limits } from "../../shared/limits.ts";

/** What a picture is for: a blog's cover, its text, or somebody's profile. */
export type PictureUse = "cover" | "text" | "profile";

/** What the media store takes (server/media/store.ts). */
const stored = ["image/png", "image/jpeg", "image/gif", "image/webp"];
/** What people paste besides; the browser can draw it, so it travels as PNG. */
const drawn = ["image/bmp", "image/x-ms-bmp", "image/x-icon", "image/vnd.microsoft.icon"];

/** The media types that are taken for each use, and how that is said. */
export const taken: Record<PictureUse, { types: readonly string[]; named: string }> = {
  cover: { types: ["image/png", "image/jpeg"], named: "a .png, .jpg or .jpeg picture" },
  text: { types: [...stored, ...drawn], named: "a PNG, JPEG, GIF, WebP or BMP picture" },
  profile: { types: stored, named: "a PNG, JPEG, GIF or WebP picture" },
};

export const megabytes = limits.image.bytes / 1024 / 1024;

/** What is wrong with a file before any byte is sent, or null. */
export function refusal(file: { type: string; size: number }, use: PictureUse): string | null {
  const { types, named } = taken[use];
  if (!types.includes(file.type)) return `That file can't be used here. Choose ${named}.`;
  if (file.size > limits.image.bytes) return `That picture is too large: at most ${megabytes} MB.`;
  if (file.size === 0) return "That file is empty.";
  return null;
}

/** The picture as the media store takes it: bitmaps and icons are drawn anew as PNG, the rest stays as it is. */
export async function storable(file: Blob): Promise<Blob> {
  if (!drawn.includes(file.type)) return file;
  const bitmap = await createImageBitmap(file);
  const canvas = document.createElement("canvas");
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  canvas.getContext("2d")!.drawImage(bitmap, 0, 0);
  bitmap.close();
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error("The picture could not be drawn."))),
      "image/png",
    );
  });
}
