import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { DocumentError } from "../../shared/document/document-error.ts";
import { checkDocument, unsupportedStructure } from "../../shared/document/check.ts";
import { withOwnAddresses, withOwnPaths } from "../../shared/document/own-links.ts";
import { remotePictureLabel } from "../../shared/document/blocks/picture.ts";
import { limits } from "../../shared/limits.ts";
import { emptyDocument } from "../../shared/document/empty-document.ts";
import type { DocumentJson, NodeJson } from "../../shared/document/schema.ts";
import { withoutUnreferencedNotes } from "../../shared/document/referenced-notes.ts";
import { embeddable, type EmbedCard } from "../../shared/document/embeds.ts";
import { documentToHtml, type ResponsiveImage } from "../../shared/document/to-html.ts";
import {
  countWords,
  documentToText,
  embedsIn,
  excerpt,
  imagesOf,
  readingMinutes,
} from "../../shared/document/to-text.ts";
import type { FeedFile } from "../../shared/feeds.ts";
import type { Feed } from "../feeds/formats.ts";
import { pictureData } from "../media/paths.ts";
import { guessLanguage } from "../../shared/guess-language.ts";
import { renderBlocks, piecesToRender, type Piece } from "../text/render-blocks.ts";
import { parseHtmlWithImages, type StoredImage } from "../text/parse-html.ts";
import {
  anchorsOf,
  lettersOf,
  replaceLink,
  unwrapEmptyFigures,
  createPlaceholders,
  picturesIn,
  replacePicture,
} from "./placeholders.ts";

/*
 * Documents and HTML cross between threads as strings: copying a tree of fifty thousand objects blocks the sender as long as
 * building it.
 */

/** `document` has placeholders for `pictures` not yet stored. */
export interface Pending<T> {
  document: string;
  pictures: ({ src: string } & T)[];
}

export interface Checked {
  document: string;
  images: string[];
  /** The addresses of its cards without content yet. */
  embeds: string[];
}

export interface Rendered {
  html: string;
  text: string;
  excerpt: string;
  words: number;
  readingMinutes: number;
  /** Empty when unsure. */
  guessedLanguage: string;
}

/** A path of three parts or more may be a post's permalink, which no other site has. */
const longPath = /^https?:\/\/[^/?#]+(?:\/[^/?#]+){3,}/i;

/** A document of another site with placeholders for pictures and links. */
export interface ImportedText extends Pending<{ path: string }> {
  links: { href: string; written: string; anchor?: string | null }[];
  droppedLinks: string[];
  /** Report lines about parts that were removed. */
  problems: string[];
  /** The language of its typography; empty if unknown or not asked for. */
  language: string;
}

interface FlatInput {
  documents: string[];
  origin: string;
  isWriter: boolean;
}

/** Each throws `DocumentError` for an invalid text. */
export const tasks = {
  /**
   * Parses `content` of the API, as a text or a file: HTML, HTML as JSON, a document as JSON, or `{}` for an empty one. Writes
   * pictures in HTML to `folder`.
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
    const createPlaceholder = createPlaceholders();
    const document = await parseHtmlWithImages(
      value,
      async (bytes) => {
        const picture = {
          src: createPlaceholder(),
          file: path.join(input.folder, `picture-${pictures.length}`),
        };
        await writeFile(picture.file, bytes);
        pictures.push(picture);
        return { src: picture.src, width: 0, height: 0 };
      },
      { origin: input.origin },
    );
    return { document: JSON.stringify(withOwnPaths(document, input.origin)), pictures };
  },

  /**
   * Rewrites a large JSON body with its documents as strings, and moves the bytes of a large `profilePic` out, leaving `data:`.
   * Refuses more values than a call needs.
   */
  lighten(input: { text: string }): { json: string; picture: Uint8Array | null } {
    const body = jsonOf(input.text, "The body is not valid JSON.");
    const picture = isObject(body) ? takePicture(body) : null;
    const calls = isObject(body) ? [body, ...Object.values(body).filter(isObject)] : [];
    for (const call of calls)
      for (const name of ["document", "content"])
        if (Object.hasOwn(call, name) && typeof call[name] === "object") call[name] = jsonText(call[name]);
    if (hasMoreValues(body, limits.body.values)) throw new DocumentError("The body has too many values.");
    return { json: JSON.stringify(body), picture };
  },

  /** Replaces placeholders; null leaves a picture's description or a link's text, a string shows a picture from elsewhere. */
  place(input: {
    document: string;
    stored: Record<string, StoredImage | string | null>;
    links?: Record<string, string | null>;
  }): { document: string } {
    const document = JSON.parse(input.document) as DocumentJson;
    const stack: NodeJson[] = [document];
    for (let node = stack.pop(); node; node = stack.pop()) {
      node.content = node.content?.flatMap((child) => replacePicture(child, input.stored));
      if (node.marks && input.links)
        node.marks = node.marks.flatMap((mark) => replaceLink(mark, input.links ?? {}));
      stack.push(...(node.content ?? []));
    }
    unwrapEmptyFigures(document);
    return { document: JSON.stringify(document) };
  },

  /** Normalizes any document to the stored form. */
  check: (input: { document: string }): Checked => checkedOf(jsonOf(input.document, unsupportedStructure)),

  pictures: (input: { document: string }): { pictures: NodeJson[] } => ({
    pictures: picturesIn(JSON.parse(input.document) as DocumentJson),
  }),

  /** Replaces a document's pictures in order; checks it again. */
  withPictures(input: { document: string; pictures: NodeJson[] }): Checked {
    const document = JSON.parse(input.document) as DocumentJson;
    for (const [index, node] of picturesIn(document).entries()) {
      const { type, attrs, marks, text } = input.pictures[index] ?? node;
      Object.assign(node, { type, attrs, marks, text });
    }
    unwrapEmptyFigures(document);
    return checkedOf(JSON.parse(JSON.stringify(document)));
  },

  /** Fills a document's empty cards; checks it again. */
  withCards(input: { document: string; cards: Record<string, EmbedCard> }): Checked {
    const document = JSON.parse(input.document) as DocumentJson;
    for (const { attrs } of embedsIn(document))
      if (attrs?.title === "") Object.assign(attrs, input.cards[String(attrs.href)]);
    return checkedOf(document);
  },

  /** Derives the stored columns of a checked document, or previews them (`isUnsaved`); `withoutIds` is for a text beside others. */
  async render(input: {
    document: string;
    origin: string;
    images: Record<string, ResponsiveImage>;
    isUnsaved?: boolean;
    withoutIds?: boolean;
  }): Promise<Rendered> {
    const document = withoutUnreferencedNotes(JSON.parse(input.document) as DocumentJson);
    const text = documentToText(document);
    return {
      html: documentToHtml(document, {
        origin: input.origin,
        headingIds: !input.withoutIds,
        headingLinks: !input.withoutIds,
        image: (src) => (Object.hasOwn(input.images, src) ? input.images[src] : undefined),
        ...(input.isUnsaved ? { pictureText: (src: string) => remotePictureLabel(src, input.origin) } : {}),
      }),
      text,
      excerpt: excerpt(document, 220),
      words: countWords(text),
      readingMinutes: readingMinutes(text),
      guessedLanguage: await guessLanguage(document),
    };
  },

  /**
   * Highlights code and renders formulas as MathML; null leaves a piece as it is. After `patience` milliseconds it returns
   * fewer, so that one text does not occupy a thread.
   */
  async drawPieces(input: { pieces: Piece[]; patience?: number }): Promise<(string | null)[]> {
    const rendered: (string | null)[] = [];
    const deadline = performance.now() + (input.patience ?? 4_000);
    // Some megabytes each.
    for (const piece of input.pieces) {
      if (rendered.length > 0 && performance.now() > deadline) break;
      rendered.push(
        piece.formula
          ? (await import("../text/formula-html.ts")).formulaHtml(piece)
          : await (await import("../text/color-code.ts")).colorCode(piece),
      );
    }
    return rendered;
  },

  async draw({ html }: { html: string }): Promise<string> {
    const pieces = piecesToRender(html);
    const rendered = pieces.length === 0 ? [] : await tasks.drawPieces({ pieces, patience: 8_000 });
    const pieceKey = ({ language, formula, html: text }: Piece) => `${formula ?? ""} ${language} ${text}`;
    const renderedByKey = new Map(pieces.map((piece, at) => [pieceKey(piece), rendered[at]]));
    return renderBlocks(html, (piece) => renderedByKey.get(pieceKey(piece)));
  },

  /** Renders for clients of the API: flat lists as in Quill. Authors also get what readers do not. */
  flatHtml: ({ documents, origin, isWriter }: FlatInput): string[] =>
    documents.map((json) => {
      const document = withOwnAddresses(JSON.parse(json) as DocumentJson, origin);
      return documentToHtml(isWriter ? document : withoutUnreferencedNotes(document), {
        lists: "flat",
        origin,
      });
    }),

  /** Converts a document to Markdown with these picture addresses. */
  async toMarkdown(input: {
    document: string;
    pictures: Record<string, string>;
    origin?: string | undefined;
  }): Promise<{ markdown: string }> {
    const { roundTripMarkdown } = await import("../exports/markdown.ts");
    const { pictures, origin = "" } = input;
    const document = withOwnAddresses(JSON.parse(input.document) as DocumentJson, origin);
    return {
      markdown: await roundTripMarkdown(document, { picture: (src) => pictures[src] ?? src, origin }),
    };
  },

  async feed(input: { feed: Feed; file: FeedFile }): Promise<Uint8Array<ArrayBuffer>> {
    const { writeFeed } = await import("../feeds/formats.ts");
    return new TextEncoder().encode(writeFeed(input.feed, input.file));
  },

  async index(input: { file: string; blogId: string }): Promise<void> {
    const { indexText } = await import("../database/sqlite/index-text.ts");
    indexText(input.file, input.blogId);
  },

  /** Returns a document's plain text, as its readers see it. */
  text: ({ document }: { document: string }): string =>
    documentToText(withoutUnreferencedNotes(JSON.parse(document) as DocumentJson)),

  /** Parses Markdown; names pictures as written. */
  async markdown(input: { text: string }): Promise<Pending<{ path: string }> & { droppedLinks: string[] }> {
    const { markdownToDocument } = await import("../imports/markdown/markdown.ts");
    const pictures: { src: string; path: string }[] = [];
    const createPlaceholder = createPlaceholders();
    const { document, droppedLinks } = await markdownToDocument(input.text, {
      resolveImage: (written) => {
        const picture = { src: createPlaceholder(), path: written };
        pictures.push(picture);
        return { src: picture.src, width: 0, height: 0 };
      },
    });
    return { document: JSON.stringify(document), pictures, droppedLinks };
  },

  /**
   * Parses a text of another site. Names pictures, relative links and those to `origins` as written; cards are those of
   * `origin`, this site. `anchor`: the id of a linked heading in the text, null when missing. `typographyOf`: the language whose
   * quotation marks and dashes to set, empty to guess it.
   */
  async foreignText(input: {
    kind: "html" | "markdown";
    text: string;
    origins: readonly string[];
    origin?: string;
    typographyOf?: string | undefined;
  }): Promise<ImportedText> {
    // Some megabytes that only imports need.
    const { htmlToDocument, markdownToDocument } = await import("../imports/markdown/markdown.ts");
    const pictures: ImportedText["pictures"] = [];
    const links: ImportedText["links"] = [];
    const [createPlaceholder, placeLink] = [
      createPlaceholders(),
      createPlaceholders("https://pending.invalid/"),
    ];
    const picture = (written: string) => {
      pictures.push({ src: createPlaceholder(), path: written });
      return { src: pictures.at(-1)?.src ?? "", width: 0, height: 0 };
    };
    const link = (written: string) => {
      links.push({ href: placeLink(), written });
      return links.at(-1)?.href ?? null;
    };
    const options = {
      origin: input.origin,
      resolveImage: picture,
      resolveForeign: picture,
      resolveLink: link,
      resolveAddress: (href: string) =>
        longPath.test(href) ||
        input.origins.some((origin) => href === origin || href.startsWith(`${origin}/`))
          ? link(href)
          : null,
    };
    const converted =
      input.kind === "markdown"
        ? await markdownToDocument(input.text, options)
        : { ...(await htmlToDocument(input.text, options)), problems: [] };
    const { droppedLinks, problems } = converted;
    let { document } = converted;
    let language = input.typographyOf ?? "";
    if (input.typographyOf === "")
      language = await (await import("../../shared/guess-language.ts")).guessLanguage(document);
    if (language !== "")
      document = (await import("../../shared/document/typeset-document.ts")).withTypography(
        document,
        language,
      );
    const anchors = links.some(({ written }) => written.startsWith("#")) ? anchorsOf(document) : undefined;
    for (const one of links)
      if (one.written.startsWith("#")) one.anchor = anchors?.get(lettersOf(one.written)) ?? null;
    if (input.origin !== undefined) document = withOwnPaths(document, input.origin);
    return { document: JSON.stringify(document), pictures, links, droppedLinks, problems, language };
  },
};

function checkedOf(value: unknown): Checked {
  const checked = checkDocument(value);
  if (!checked.ok) throw new DocumentError(checked.reason);
  return {
    document: JSON.stringify(checked.document),
    images: imagesOf(checked.document),
    embeds: emptyEmbeds(checked.document),
  };
}

const emptyEmbeds = (document: DocumentJson): string[] => [
  ...new Set(
    embedsIn(document).flatMap(({ attrs }) =>
      attrs?.title === "" && embeddable(attrs.href) ? [String(attrs.href)] : [],
    ),
  ),
];

export type Tasks = typeof tasks;

/** Editors may send plain HTML, not in JSON. */
const contentOf = (text: string): unknown =>
  text.trimStart().startsWith("<") ? text : jsonOf(text, "The field content is not valid JSON.");

function jsonOf(text: string, message: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new DocumentError(message, { cause });
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

/** Whether it has more than `limit` names and values. Not recursive, as it may be deep. */
function hasMoreValues(root: unknown, limit: number): boolean {
  const stack = [root];
  let count = 0;
  for (let value = stack.pop(); stack.length > 0 || value !== undefined; value = stack.pop()) {
    if (++count > limit) return true;
    if (!isObject(value)) continue;
    const children = Object.values(value);
    if (count + stack.length + children.length > limit) return true;
    stack.push(...children);
  }
  return false;
}
