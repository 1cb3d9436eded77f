import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { DocumentError } from "../../shared/document/document-error.ts";
import { checkDocument } from "../../shared/document/check.ts";
import { limits } from "../../shared/limits.ts";
import { emptyDocument, type DocumentJson, type NodeJson } from "../../shared/document/schema.ts";
import { documentToHtml, type ResponsiveImage } from "../../shared/document/to-html.ts";
import {
  countWords,
  documentToText,
  excerpt,
  imagesOf,
  readingMinutes,
} from "../../shared/document/to-text.ts";
import { pictureData } from "../media/data-url.ts";
import { parseHtmlWithImages, type StoredImage } from "../blogs/parse-html.ts";

/*
 * What runs off the main thread. Documents and HTML cross as texts: to copy a tree of fifty thousand objects holds the
 * thread that sends it as long as making it does.
 */

/** Where a document names pictures that are yet to be stored, and what they are. */
export interface Pending<T> {
  document: string;
  pictures: ({ src: string } & T)[];
}

/** A document that was checked, and the addresses of its pictures. */
export interface Checked {
  document: string;
  images: string[];
}

/** What is derived from a document. */
export interface Rendered {
  html: string;
  text: string;
  excerpt: string;
  words: number;
  readingMinutes: number;
}

/** Each throws `DocumentError` for what is wrong with the text. */
export const tasks = {
  /**
   * `content` of the API, as a text or a file: HTML, HTML as JSON, a document as JSON, or `{}` for an empty one. Pictures
   * within HTML become files in `folder`.
   */
  async content(input: {
    text?: string;
    file?: string;
    origin: string;
    folder: string;
  }): Promise<Pending<{ file: string }>> {
    const value = contentOf(input.text ?? (await readFile(input.file ?? "", "utf8")));
    if (typeof value !== "string") {
      const isEmpty =
        value === null ||
        (typeof value === "object" && !Array.isArray(value) && Object.keys(value).length === 0);
      return { document: JSON.stringify(isEmpty ? emptyDocument() : value), pictures: [] };
    }
    const pictures: { src: string; file: string }[] = [];
    const place = pendingPlaces();
    const document = await parseHtmlWithImages(
      value,
      async (bytes) => {
        const picture = { src: place(), file: path.join(input.folder, `picture-${pictures.length}`) };
        await writeFile(picture.file, bytes);
        pictures.push(picture);
        return { src: picture.src, width: 0, height: 0 };
      },
      { origin: input.origin },
    );
    return { document: JSON.stringify(document), pictures };
  },

  /**
   * A large JSON body, of one call or a batch, with its documents as texts; of a large `profilePic` only `data:` is left,
   * its bytes come beside. What no call asks for is refused.
   */
  lighten(input: { text: string }): { json: string; picture: Uint8Array | null } {
    const body = jsonOf(input.text, "The body is not valid JSON.");
    const picture = isObject(body) ? takePicture(body) : null;
    const calls = isObject(body) ? [body, ...Object.values(body).filter(isObject)] : [];
    for (const call of calls)
      for (const name of ["document", "content"])
        if (Object.hasOwn(call, name) && typeof call[name] === "object") call[name] = jsonText(call[name]);
    if (hasMoreValues(body, limits.body.values))
      throw new DocumentError("This body has more in it than any call asks for.");
    return { json: JSON.stringify(body), picture };
  },

  /** Puts stored pictures where a document waits for them; null leaves the description. */
  place(input: { document: string; stored: Record<string, StoredImage | null> }): { document: string } {
    const document = JSON.parse(input.document) as DocumentJson;
    const open: NodeJson[] = [document];
    for (let node = open.pop(); node; node = open.pop()) {
      node.content = node.content?.flatMap((child) => placed(child, input.stored));
      open.push(...(node.content ?? []));
    }
    return { document: JSON.stringify(document) };
  },

  /** A document from anywhere in the one form that is stored. */
  check: (input: { document: string }): Checked => checkedOf(jsonOf(input.document, notADocument)),

  /** The pictures of a document in their order, as its nodes. */
  pictures: (input: { document: string }): { pictures: NodeJson[] } => ({
    pictures: picturesIn(JSON.parse(input.document) as DocumentJson),
  }),

  /** A document with these nodes for its pictures, checked again. */
  withPictures(input: { document: string; pictures: NodeJson[] }): Checked {
    const document = JSON.parse(input.document) as DocumentJson;
    for (const [at, node] of picturesIn(document).entries()) {
      const { type, attrs, marks, text } = input.pictures[at] ?? node;
      Object.assign(node, { type, attrs, marks, text });
    }
    return checkedOf(JSON.parse(JSON.stringify(document)));
  },

  /** What is stored beside a checked document. */
  render(input: { document: string; origin: string; images: Record<string, ResponsiveImage> }): Rendered {
    const document = JSON.parse(input.document) as DocumentJson;
    const text = documentToText(document);
    return {
      html: documentToHtml(document, {
        origin: input.origin,
        image: (src) => (Object.hasOwn(input.images, src) ? input.images[src] : undefined),
      }),
      text,
      excerpt: excerpt(document, 220),
      words: countWords(text),
      readingMinutes: readingMinutes(text),
    };
  },

  /** A stored document as clients of the API load it: flat lists as in Quill. */
  flatHtml(input: { document: string; origin: string }): { html: string } {
    const html = documentToHtml(JSON.parse(input.document) as DocumentJson, {
      lists: "flat",
      origin: input.origin,
    });
    return { html };
  },

  /** Makes all of a long text searchable. */
  async index(input: { file: string; blogId: string }): Promise<void> {
    const { indexText } = await import("../database/index-text.ts");
    indexText(input.file, input.blogId);
  },

  /** Markdown; its pictures are named as they are written in it. */
  async markdown(input: { text: string }): Promise<Pending<{ path: string }> & { droppedLinks: string[] }> {
    // Some megabytes that only an import needs.
    const { markdownToDocument } = await import("../commands/markdown.ts");
    const pictures: { src: string; path: string }[] = [];
    const place = pendingPlaces();
    const { document, droppedLinks } = await markdownToDocument(input.text, {
      resolveImage: (written) => {
        const picture = { src: place(), path: written };
        pictures.push(picture);
        return { src: picture.src, width: 0, height: 0 };
      },
    });
    return { document: JSON.stringify(document), pictures, droppedLinks };
  },
};

function checkedOf(value: unknown): Checked {
  const checked = checkDocument(value);
  if (!checked.ok) throw new DocumentError(checked.reason);
  return { document: JSON.stringify(checked.document), images: imagesOf(checked.document) };
}

function picturesIn(document: NodeJson): NodeJson[] {
  const pictures: NodeJson[] = [];
  const open = [document];
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type === "image") pictures.push(node);
    open.push(...(node.content ?? []).toReversed());
  }
  return pictures;
}

const notADocument = "This text is not built the way this site can store it.";

export type Tasks = typeof tasks;

/** Addresses that stand in for pictures until these are stored; nobody can know them before. */
function pendingPlaces(): () => string {
  const batch = randomBytes(12).toString("hex");
  let count = 0;
  return () => `/media/pending/${batch}/${count++}`;
}

function placed(node: NodeJson, stored: Record<string, StoredImage | null>): NodeJson[] {
  const src = node.type === "image" ? String(node.attrs?.src) : "";
  if (!Object.hasOwn(stored, src)) return [node];
  const picture = stored[src];
  const { alt, width, height } = node.attrs ?? {};
  if (!picture)
    return typeof alt === "string" && alt
      ? [{ type: "text", text: alt, ...(node.marks && { marks: node.marks }) }]
      : [];
  const size = width === null && height === null ? { width: picture.width, height: picture.height } : {};
  return [{ ...node, attrs: { ...node.attrs, src: picture.src, ...size } }];
}

/** An editor's HTML that nobody wrapped in JSON is still HTML. */
const contentOf = (text: string): unknown =>
  text.trimStart().startsWith("<") ? text : jsonOf(text, "The field content is not valid JSON.");

function jsonOf(text: string, otherwise: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new DocumentError(otherwise, { cause });
  }
}

function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    throw new DocumentError("This text is nested too deeply.", { cause });
  }
}

function takePicture(body: Record<string, unknown>): Uint8Array | null {
  const { profilePic } = body;
  if (typeof profilePic !== "string" || profilePic.length < limits.body.light) return null;
  const data = pictureData(profilePic);
  if (!data) return null;
  body.profilePic = "data:";
  return new Uint8Array(data);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** Whether there are more names and values in it than that. With a stack of its own: it may be deep. */
function hasMoreValues(root: unknown, most: number): boolean {
  const open = [root];
  let count = 0;
  for (let value = open.pop(); open.length > 0 || value !== undefined; value = open.pop()) {
    if (++count > most) return true;
    if (!isObject(value)) continue;
    const inside = Object.values(value);
    if (count + open.length + inside.length > most) return true;
    open.push(...inside);
  }
  return false;
}
