/** Sizes are 0 when a picture's first bytes do not contain them. */
export interface PictureHeader {
  type: "jpeg" | "png" | "gif" | "webp" | "avif";
  width: number;
  height: number;
}

const starts = (bytes: Buffer, text: string, at = 0): boolean =>
  bytes.toString("latin1", at, at + text.length) === text;

/** Reads the type from the bytes, never the name. Null for all but JPEG, PNG, GIF, WebP and AVIF. */
export function readPictureHeader(bytes: Buffer): PictureHeader | null {
  if (starts(bytes, "\x89PNG\r\n\x1a\n")) {
    const isWhole = starts(bytes, "IHDR", 12) && bytes.length >= 24;
    return {
      type: "png",
      width: isWhole ? bytes.readUInt32BE(16) : 0,
      height: isWhole ? bytes.readUInt32BE(20) : 0,
    };
  }
  if (starts(bytes, "GIF87a") || starts(bytes, "GIF89a"))
    return bytes.length < 10
      ? null
      : { type: "gif", width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  if (starts(bytes, "RIFF") && starts(bytes, "WEBP", 8)) {
    const isLarge = starts(bytes, "VP8X", 12) && bytes.length >= 30;
    return {
      type: "webp",
      width: isLarge ? bytes.readUIntLE(24, 3) + 1 : 0,
      height: isLarge ? bytes.readUIntLE(27, 3) + 1 : 0,
    };
  }
  if (starts(bytes, "ftypavi", 4)) return { type: "avif", width: 0, height: 0 };
  return starts(bytes, "\xff\xd8\xff") ? { type: "jpeg", ...sizeOfJpeg(bytes) } : null;
}

/** Skips segments up to the first frame's header. */
function sizeOfJpeg(bytes: Buffer): { width: number; height: number } {
  for (let offset = 2, seen = 0; offset + 9 <= bytes.length && seen < 1_000; seen++) {
    const marker = bytes.readUInt16BE(offset);
    const isFrame = marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker);
    if (isFrame) return { width: bytes.readUInt16BE(offset + 7), height: bytes.readUInt16BE(offset + 5) };
    offset += marker === 0xffff ? 1 : 2 + bytes.readUInt16BE(offset + 2);
  }
  return { width: 0, height: 0 };
}
