import { crc32, deflateRawSync } from "node:zlib";

/** An entry of a ZIP built byte by byte: each field can be false. */
export interface ZipEntry {
  name: string;
  bytes?: Buffer | string;
  /** Its size in the central directory. */
  declared?: number;
  /** The Unix file type and permissions. */
  mode?: number;
  flags?: number;
  method?: number;
  /** Its offset in the central directory. */
  offset?: number;
}

/** Compressed bytes by their source, since some occur many times. */
const compressedCache = new WeakMap<Buffer, Buffer>();

function pack(bytes: Buffer): Buffer {
  const cached = compressedCache.get(bytes) ?? deflateRawSync(bytes);
  compressedCache.set(bytes, cached);
  return cached;
}

/** Builds a ZIP of these entries; `declaredCount` is the number of entries that its end declares. */
export function buildZip(entries: ZipEntry[], declaredCount?: number): Buffer {
  const parts: Buffer[] = [];
  const list: Buffer[] = [];
  let position = 0;
  for (const { name, bytes = "", declared, mode = 0o100644, flags = 0x800, method = 8, offset } of entries) {
    const plain = typeof bytes === "string" ? Buffer.from(bytes) : bytes;
    const compressed = method === 8 ? pack(plain) : plain;
    const label = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(flags, 2);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE(crc32(plain), 10);
    common.writeUInt32LE(compressed.length, 14);
    common.writeUInt32LE(declared ?? plain.length, 18);
    common.writeUInt16LE(label.length, 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), common, label, compressed]);
    const centralFields = Buffer.alloc(14);
    centralFields.writeUInt32LE((mode << 16) >>> 0, 6);
    centralFields.writeUInt32LE(offset ?? position, 10);
    list.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\x03"), common, centralFields, label]));
    parts.push(local);
    position += local.length;
  }
  const centralDirectory = Buffer.concat(list);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", 0, "latin1");
  end.writeUInt16LE(declaredCount ?? entries.length, 8);
  end.writeUInt16LE(declaredCount ?? entries.length, 10);
  end.writeUInt32LE(centralDirectory.length, 12);
  end.writeUInt32LE(position, 16);
  return Buffer.concat([...parts, centralDirectory, end]);
}
