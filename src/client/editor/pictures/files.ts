import { refusal } from "../../api/upload.ts";

/** What the media store takes for pictures inside a text. */
const stored = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const;
/** What people paste besides (docs/specification.md, 5.18); the browser can draw it, so it travels as PNG. */
const drawn = ["image/bmp", "image/x-ms-bmp", "image/x-icon", "image/vnd.microsoft.icon"] as const;

export const textPictureTypes: readonly string[] = [...stored, ...drawn];

/** What is wrong with a picture for the text, or null. */
export function textPictureRefusal(file: { type: string; size: number }): string | null {
  return refusal(file, textPictureTypes, "a PNG, JPEG, GIF, WebP or BMP picture");
}

/** Cover pictures: png or jpeg (docs/specification.md, 5.8). */
export const coverTypes: readonly string[] = ["image/png", "image/jpeg"];
export function coverRefusal(file: { type: string; size: number }): string | null {
  return refusal(file, coverTypes, "a .png, .jpg or .jpeg picture");
}

/** The picture as the media store takes it: bitmaps and icons are drawn anew as PNG, the rest stays as it is. */
export async function storable(file: Blob): Promise<Blob> {
  if (!(drawn as readonly string[]).includes(file.type)) return file;
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

/** The bytes inside a `data:` URL of a picture; null for any other address. Not by fetch(): the page's policy forbids it. */
export function pictureInDataUrl(url: string): Blob | null {
  const match = /^data:(image\/[a-z0-9.+-]+);base64,([a-z0-9+/=\s]+)$/i.exec(url);
  if (!match) return null;
  try {
    const bytes = Uint8Array.from(atob(match[2]!), (character) => character.charCodeAt(0));
    return new Blob([bytes], { type: match[1]!.toLowerCase() });
  } catch {
    return null;
  }
}

/** Pictures among the files of a drop or a paste. */
export function picturesIn(data: DataTransfer | null): File[] {
  return [...(data?.files ?? [])].filter((file) => file.type.startsWith("image/"));
}
