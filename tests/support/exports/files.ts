import { parseHtml } from "../../../src/server/text/parse-html.ts";
import { documentToHtml } from "../../../src/shared/document/to-html.ts";
import { Readable } from "node:stream";
import { mendPost } from "../../../src/server/imports/mend-post.ts";
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
    read: async (name, maxBytes) => {
      const bytes = bytesOf(name);
      if (bytes.length > maxBytes) throw new FileProblem("it is too large");
      return bytes;
    },
    stream: async (name) => {
      const bytes = bytesOf(name);
      return Readable.from(
        (function* () {
          for (let offset = 0; offset < bytes.length; offset += piece)
            yield bytes.subarray(offset, offset + piece);
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
  for await (const found of source.posts()) {
    const entry = mendPost(found);
    if ("post" in entry) posts[entry.post.file] = entry.post;
    else others[entry.file] = [others[entry.file], entry.reason].filter(Boolean).join("; ");
  }
  return { posts, others };
}

/** Returns the HTML that readers see of a source's, without attributes such as `rel` and `loading`. */
export const shownHtml = async (html: string): Promise<string> =>
  documentToHtml(await parseHtml(html)).replace(/ (?:rel|loading|decoding|spellcheck)="[^"]*"/g, "");
