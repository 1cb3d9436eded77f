/** Sizes are 0 when a picture's first bytes do not contain them. */
export interface PictureHeader {
  type: "jpeg" | "png" | "gif" | "webp" | "avif";
  width: number;
  height: number;
}

const hasTextAt = (bytes: Buffer, text: string, at = 0): boolean =>
  bytes.toString("latin1", at, at + text.length) === text;

/** Reads the type from the bytes, never the name. Null for all but JPEG, PNG, GIF, WebP and AVIF. */
export function readPictureHeader(bytes: Buffer): PictureHeader | null {
  if (hasTextAt(bytes, "\x89PNG\r\n\x1a\n")) {
    const hasSize = hasTextAt(bytes, "IHDR", 12) && bytes.length >= 24;
    return {
      type: "png",
      width: hasSize ? bytes.readUInt32BE(16) : 0,
      height: hasSize ? bytes.readUInt32BE(20) : 0,
    };
  }
  if (hasTextAt(bytes, "GIF87a") || hasTextAt(bytes, "GIF89a"))
    return bytes.length < 10
      ? null
      : { type: "gif", width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  if (hasTextAt(bytes, "RIFF") && hasTextAt(bytes, "WEBP", 8)) {
    const isExtended = hasTextAt(bytes, "VP8X", 12) && bytes.length >= 30;
    return {
      type: "webp",
      width: isExtended ? bytes.readUIntLE(24, 3) + 1 : 0,
      height: isExtended ? bytes.readUIntLE(27, 3) + 1 : 0,
    };
  }
  if (hasTextAt(bytes, "ftypavi", 4)) return { type: "avif", width: 0, height: 0 };
  return hasTextAt(bytes, "\xff\xd8\xff") ? { type: "jpeg", ...sizeOfJpeg(bytes) } : null;
}

/** Skips segments up to the first frame's header. */
function sizeOfJpeg(bytes: Buffer): { width: number; height: number } {
  for (let offset = 2, segmentCount = 0; offset + 9 <= bytes.length && segmentCount < 1_000; segmentCount++) {
    const marker = bytes.readUInt16BE(offset);
    const isFrame = marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker);
    if (isFrame) return { width: bytes.readUInt16BE(offset + 7), height: bytes.readUInt16BE(offset + 5) };
    offset += marker === 0xffff ? 1 : 2 + bytes.readUInt16BE(offset + 2);
  }
  return { width: 0, height: 0 };
}
