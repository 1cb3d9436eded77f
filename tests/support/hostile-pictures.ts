import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";

/* Pictures that are small to send and as costly to decode as a site accepts: for tests and `npm run bench -- hostile`. */

const chunk = (type: string, data: Buffer): Buffer => {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.length);
  head.write(type, 4, "latin1");
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(Buffer.concat([head.subarray(4), data])));
  return Buffer.concat([head, data, checksum]);
};

/** Builds a PNG of one colour by hand; `before` is inserted ahead of its pixels. */
export function plainPng(
  width: number,
  height: number,
  { depth = 8, interlaced = false, before = [] as Buffer[] } = {},
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([depth, 6, 0, 0, interlaced ? 1 : 0], 8);
  const pixel = depth / 2;
  const row = (columns: number) => (columns === 0 ? 0 : 1 + columns * pixel);
  const passes = [
    [0, 8, 0, 8],
    [4, 8, 0, 8],
    [0, 4, 4, 8],
    [2, 4, 0, 4],
    [0, 2, 2, 4],
    [1, 2, 0, 2],
    [0, 1, 1, 2],
  ] as const;
  const size = interlaced
    ? passes.reduce(
        (sum, [x, stepX, y, stepY]) =>
          sum + Math.ceil((height - y) / stepY) * row(Math.ceil((width - x) / stepX)),
        0,
      )
    : height * row(width);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    ...before,
    chunk("IDAT", deflateSync(Buffer.alloc(size), { level: 1 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

const noise = (length: number): Buffer => {
  const bytes = Buffer.alloc(length);
  for (let index = 0, state = 1; index < length; index++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    bytes[index] = state >>> 24;
  }
  return bytes;
};

/** An animation whose frames all differ in every pixel. */
export async function animation(
  type: "gif" | "webp",
  width: number,
  height: number,
  frames: number,
): Promise<Buffer> {
  // In a GIF each frame repeats a few hundred distinct bytes.
  const noiseBytes = noise(width * height * 3);
  const pixels = Buffer.concat(
    Array.from({ length: frames }, (_, index) =>
      Buffer.concat([noiseBytes.subarray(index * 3), noiseBytes.subarray(0, index * 3)]),
    ),
  );
  const image = sharp(pixels, {
    raw: { width, height: height * frames, channels: 3, pageHeight: height },
    limitInputPixels: false,
  });
  return type === "gif"
    ? image.gif({ effort: 1, colours: 16, dither: 0 }).toBuffer()
    : image.webp({ quality: 1, effort: 0 }).toBuffer();
}

/** A progressive JPEG of many pixels with superfluous scans, each of which repeats the last one. */
async function manyScans(width: number, height: number, scans: number): Promise<Buffer> {
  const plain = await sharp({ create: { width, height, channels: 3, background: "#456" } })
    .jpeg({ progressive: true, quality: 1 })
    .toBuffer();
  const last = plain.lastIndexOf(Buffer.from([0xff, 0xda]));
  const scan = plain.subarray(last, -2);
  return Buffer.concat([
    plain.subarray(0, -2),
    ...Array.from({ length: scans }, () => scan),
    plain.subarray(-2),
  ]);
}

/** The costliest pictures we could think of, each at most 8 MB, by name. */
export const costlyPictures: Record<string, () => Promise<Buffer>> = {
  "a PNG of 40 megapixels": async () => plainPng(8_000, 5_000),
  "a PNG of 400 megapixels": async () => {
    const bytes = plainPng(64, 64);
    bytes.writeUInt32BE(20_000, 16);
    bytes.writeUInt32BE(20_000, 20);
    return bytes;
  },
  "an interlaced PNG of 40 megapixels": async () => plainPng(8_000, 5_000, { interlaced: true }),
  "an interlaced PNG of 16 bits and 40 megapixels": async () =>
    plainPng(8_000, 5_000, { depth: 16, interlaced: true }),
  "a PNG of noise, as large as is taken": async () =>
    sharp(noise(1_600 * 1_600 * 3), { raw: { width: 1_600, height: 1_600, channels: 3 } })
      .png({ compressionLevel: 0 })
      .toBuffer(),
  "a GIF of 200 frames": () => animation("gif", 260, 200, 200),
  "a GIF of 2,000 frames": () => animation("gif", 100, 60, 2_000),
  "a WebP of 200 frames": () => animation("webp", 400, 300, 200),
  "a WebP of 1,000 frames": () => animation("webp", 160, 120, 1_000),
  "a JPEG of 40 megapixels": () =>
    sharp({ create: { width: 8_000, height: 5_000, channels: 3, background: "#456" } })
      .jpeg({ progressive: true })
      .toBuffer(),
  "a JPEG of thousands of scans": () => manyScans(3_000, 2_000, 3_000),
  "a JPEG of ninety scans": () => manyScans(6_000, 4_000, 80),
  "a PNG with a profile that unfolds": async () =>
    plainPng(64, 64, {
      before: [
        chunk(
          "iCCP",
          Buffer.concat([Buffer.from("x\0\0", "latin1"), deflateSync(Buffer.alloc(500_000_000))]),
        ),
      ],
    }),
  "a PNG with texts that unfold": async () => {
    const text = chunk(
      "zTXt",
      Buffer.concat([Buffer.from("x\0\0", "latin1"), deflateSync(Buffer.alloc(50_000_000))]),
    );
    return plainPng(64, 64, { before: Array.from({ length: 100 }, () => text) });
  },
  "a WebP without loss of 12 megapixels": () =>
    sharp({ create: { width: 4_000, height: 3_000, channels: 3, background: "#456" } })
      .webp({ lossless: true, effort: 0 })
      .toBuffer(),
};
