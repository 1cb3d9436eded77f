import { crc32, deflateRawSync } from "node:zlib";

/** An entry of a ZIP made byte by byte: each part of it may lie. */
export interface ZipEntry {
  name: string;
  bytes?: Buffer | string;
  /** What the list says of its size. */
  declared?: number;
  /** Of a Unix machine: its kind and rights. */
  mode?: number;
  flags?: number;
  method?: number;
  /** Where the list says that it begins. */
  offset?: number;
}

/** Of bytes that stand in it many times, once. */
const packedOf = new WeakMap<Buffer, Buffer>();

function pack(bytes: Buffer): Buffer {
  const known = packedOf.get(bytes) ?? deflateRawSync(bytes);
  packedOf.set(bytes, known);
  return known;
}

/** A ZIP of these entries; `said` is how many the end says there are. */
export function zipOf(entries: ZipEntry[], said?: number): Buffer {
  const parts: Buffer[] = [];
  const list: Buffer[] = [];
  let at = 0;
  for (const { name, bytes = "", declared, mode = 0o100644, flags = 0x800, method = 8, offset } of entries) {
    const plain = typeof bytes === "string" ? Buffer.from(bytes) : bytes;
    const packed = method === 8 ? pack(plain) : plain;
    const label = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(flags, 2);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE(crc32(plain), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(declared ?? plain.length, 18);
    common.writeUInt16LE(label.length, 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), common, label, packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE((mode << 16) >>> 0, 6);
    rest.writeUInt32LE(offset ?? at, 10);
    list.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\x03"), common, rest, label]));
    parts.push(local);
    at += local.length;
  }
  const central = Buffer.concat(list);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", 0, "latin1");
  end.writeUInt16LE(said ?? entries.length, 8);
  end.writeUInt16LE(said ?? entries.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, central, end]);
}
