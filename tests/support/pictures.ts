import sharp from "sharp";
import type { Picture } from "../../src/shared/blogs.ts";
import type { Browser } from "./browser.ts";

let painted = 0;

/** A picture of plain colour; each is another one. */
export function paint(
  width = 64,
  height = 48,
  type: "png" | "jpeg" | "gif" | "webp" | "avif" | "tiff" = "png",
): Promise<Buffer> {
  painted++;
  return sharp({
    create: { width, height, channels: 3, background: { r: painted % 256, g: (painted >> 8) % 256, b: 120 } },
  })
    .toFormat(type)
    .toBuffer();
}

/** Sends a file as the picture dialog does. */
export function send(
  browser: Browser,
  bytes: Buffer | string,
  name = "picture.png",
  headers: Record<string, string> = {},
): Promise<Response> {
  const form = new FormData();
  form.append("file", new Blob([typeof bytes === "string" ? bytes : new Uint8Array(bytes)]), name);
  return browser.fetch("/upload", { method: "POST", body: form, headers });
}

/** Uploads a new picture. */
export async function upload(browser: Browser, bytes?: Buffer): Promise<Picture> {
  const answer = await send(browser, bytes ?? (await paint()));
  if (!answer.ok) throw new Error(`The picture was refused: ${await answer.text()}`);
  return (await answer.json()) as Picture;
}
