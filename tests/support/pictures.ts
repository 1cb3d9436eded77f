import { randomBytes } from "node:crypto";
import sharp from "sharp";
import type { Picture } from "../../src/shared/blogs.ts";
import type { Browser } from "./browser.ts";

let painted = 0;

/** Creates a plain picture in another colour each time. */
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

/** Creates a PNG that cannot be compressed: three bytes a pixel. */
export function noise(width: number, height: number): Promise<Buffer> {
  return sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer();
}

/** Creates a bitmap of one colour, 24 bits a pixel. */
export function bitmap(width: number, height: number): Buffer {
  const row = Math.ceil((width * 3) / 4) * 4;
  const bytes = Buffer.alloc(54 + row * height, 120);
  bytes.fill(0, 0, 54).write("BM", 0, "latin1");
  for (const [offset, value] of [
    [2, bytes.length],
    [10, 54],
    [14, 40],
    [18, width],
    [22, height],
    [34, row * height],
  ] as const)
    bytes.writeUInt32LE(value, offset);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(24, 28);
  return bytes;
}

/** Creates an icon that contains one PNG of 16 by 16 pixels. */
export function icon(png: Buffer): Buffer {
  const head = Buffer.alloc(22);
  for (const [offset, value] of [
    [2, 1],
    [4, 1],
    [10, 1],
    [12, 32],
  ] as const)
    head.writeUInt16LE(value, offset);
  head.writeUInt8(16, 6);
  head.writeUInt8(16, 7);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
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
