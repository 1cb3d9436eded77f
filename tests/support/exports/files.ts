import { Readable } from "node:stream";
import { FileProblem, type Files, type Source, type SourcePost } from "../../../src/server/imports/source.ts";

/** Files of an import in memory. Streams come in small pieces so that boundaries fall everywhere. */
export function filesOf(contents: Record<string, string | Buffer>, piece = 1000): Files {
  const bytesOf = (name: string): Buffer => {
    const content = contents[name];
    if (content === undefined) throw new FileProblem("file not found");
    return Buffer.from(content);
  };
  return {
    list: async () => Object.keys(contents).map((name) => ({ name, bytes: bytesOf(name).length })),
    read: async (name, most) => {
      const bytes = bytesOf(name);
      if (bytes.length > most) throw new FileProblem("it is too large");
      return bytes;
    },
    stream: async (name) => {
      const bytes = bytesOf(name);
      return Readable.from(
        (function* () {
          for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece);
        })(),
        { objectMode: false },
      );
    },
    close: async () => undefined,
  };
}

/** Returns everything in a source: posts by file, and the reasons for files that are none. */
export async function readSource(
  source: Source,
): Promise<{ posts: Record<string, SourcePost>; others: Record<string, string> }> {
  const posts: Record<string, SourcePost> = {};
  const others: Record<string, string> = {};
  for await (const found of source.posts())
    if ("post" in found) posts[found.post.file] = found.post;
    else others[found.file] = [others[found.file], found.reason].filter(Boolean).join("; ");
  return { posts, others };
}
