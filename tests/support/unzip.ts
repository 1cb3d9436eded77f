import { readFile } from "node:fs/promises";
import { inflateRawSync } from "node:zlib";

/**
 * Returns the files of a ZIP by name, in its order. A parser of its own, so that the code that writes ZIPs does not check
 * itself.
 */
export async function unzip(file: string): Promise<Map<string, Buffer>> {
  const zip = await readFile(file);
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  if (end < 0) throw new Error("This is no ZIP.");
  const files = new Map<string, Buffer>();
  let position = zip.readUInt32LE(end + 16);
  for (let remaining = zip.readUInt16LE(end + 10); remaining > 0; remaining--) {
    const [method, size] = [zip.readUInt16LE(position + 10), zip.readUInt32LE(position + 20)];
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) =>
      zip.readUInt16LE(position + offset),
    ) as [number, number, number];
    const local = zip.readUInt32LE(position + 42);
    const name = zip.toString("utf8", position + 46, position + 46 + nameLength);
    const begin = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const bytes = zip.subarray(begin, begin + size);
    files.set(name, method === 0 ? bytes : inflateRawSync(bytes));
    position += 46 + nameLength + extra + comment;
  }
  return files;
}
