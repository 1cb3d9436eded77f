import { isUtf8 } from "node:buffer";
import { FileProblem } from "../source.ts";

const notText = "its text is not UTF-8. Save it as UTF-8 and import it again";

/** Formats that can declare their encoding. All others are Unicode, whatever tags their texts quote. */
type Format = "xml" | "html";

const declarations = {
  xml: /^\s*<\?xml[^>]*?\bencoding\s*=\s*["']([\w.:-]+)["']/,
  html: /<meta[^>]+charset\s*=\s*["']?\s*([\w.:-]+)/i,
};

/** By byte order mark, then by the format's declaration; default UTF-8. */
function encodingOf(start: Buffer, format?: Format): string {
  if (start[0] === 0xff && start[1] === 0xfe) return "utf-16le";
  if (start[0] === 0xfe && start[1] === 0xff) return "utf-16be";
  if (start[1] === 0 && start[0] !== 0) return "utf-16le";
  if (start[0] === 0 && start[1] !== 0) return "utf-16be";
  const declared = format && declarations[format].exec(start.toString("latin1"))?.[1];
  // UTF-16 would not be readable here.
  return declared && !/^utf-?16/i.test(declared) ? declared : "utf-8";
}

function decoderFor(start: Buffer, format?: Format): TextDecoder {
  const encoding = encodingOf(start.subarray(0, 1024), format);
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch (error) {
    throw new FileProblem(`unsupported encoding (${encoding}). Save it as UTF-8`, {
      cause: error,
    });
  }
}

/** Decodes UTF-8, or the encoding that its format declares, without byte order mark. Throws `FileProblem`. */
export function textOf(bytes: Buffer, format?: Format): string {
  if (bytes.length === 0) throw new FileProblem("it is empty");
  // A page in UTF-8 can quote a tag that declares another encoding.
  const declaring = format === "html" && isUtf8(bytes) ? undefined : format;
  return decode(decoderFor(bytes, declaring), bytes);
}

/** `textOf` for a stream. */
export async function* textFrom(stream: NodeJS.ReadableStream, format?: "xml"): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  let start = Buffer.alloc(0);
  for await (const piece of stream) {
    const bytes = Buffer.isBuffer(piece) ? piece : Buffer.from(piece);
    if (decoder) yield decode(decoder, bytes, true);
    else {
      start = Buffer.concat([start, bytes]);
      if (start.length < 1024) continue;
      decoder = decoderFor(start, format);
      yield decode(decoder, start, true);
    }
  }
  if (!decoder && start.length === 0) throw new FileProblem("it is empty");
  yield decoder ? decode(decoder, Buffer.alloc(0)) : textOf(start, format);
}

function decode(decoder: TextDecoder, bytes: Buffer, isPartial = false): string {
  try {
    return decoder.decode(bytes, { stream: isPartial });
  } catch (error) {
    throw new FileProblem(notText, { cause: error });
  }
}
