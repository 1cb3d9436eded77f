import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { DocumentError } from "../../shared/document/document-error.ts";
import { checkDocument, unsupportedStructure } from "../../shared/document/check.ts";
import { saidOfElsewhere } from "../../shared/document/elsewhere.ts";
import { limits } from "../../shared/limits.ts";
import { emptyDocument, type DocumentJson, type NodeJson } from "../../shared/document/schema.ts";
import { forReaders } from "../../shared/document/signed-notes.ts";
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
import { pictureData } from "../media/data-url.ts";
import { guessLanguage } from "../blogs/guess-language.ts";
import { dress, piecesToDraw, type Piece } from "../blogs/drawn-blocks.ts";
import { parseHtmlWithImages, type StoredImage } from "../blogs/parse-html.ts";
import { anchorsOf, lettersOf, linked, loosenFigures, pendingPlaces, picturesIn, placed } from "./places.ts";

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
  /** The addresses of its cards that say nothing yet. */
  embeds: string[];
}

/** What is derived from a document. */
export interface Rendered {
  html: string;
  text: string;
  excerpt: string;
  words: number;
  readingMinutes: number;
  /** What it is written in, by the looks of it; empty where that is not plain. */
  guessedLanguage: string;
}

/** An address with a path of three parts or more: it may be one of the posts' own, which no other site has. */
const isLong = /^https?:\/\/[^/?#]+(?:\/[^/?#]+){3,}/i;

/** A text of another site as a document that waits for its pictures and links. */
export interface ForeignText extends Pending<{ path: string }> {
  links: { href: string; written: string; anchor?: string | null }[];
  droppedLinks: string[];
  unknown: string[];
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
    if (hasMoreValues(body, limits.body.values)) throw new DocumentError("The body has too many values.");
    return { json: JSON.stringify(body), picture };
  },

  /**
   * Puts stored pictures and links where a document waits for them; null leaves the description, or the text. An address for a
   * picture is one that is elsewhere.
   */
  place(input: {
    document: string;
    stored: Record<string, StoredImage | string | null>;
    links?: Record<string, string | null>;
  }): { document: string } {
    const document = JSON.parse(input.document) as DocumentJson;
    const open: NodeJson[] = [document];
    for (let node = open.pop(); node; node = open.pop()) {
      node.content = node.content?.flatMap((child) => placed(child, input.stored));
      if (node.marks && input.links)
        node.marks = node.marks.flatMap((mark) => linked(mark, input.links ?? {}));
      open.push(...(node.content ?? []));
    }
    loosenFigures(document);
    return { document: JSON.stringify(document) };
  },

  /** A document from anywhere in the one form that is stored. */
  check: (input: { document: string }): Checked => checkedOf(jsonOf(input.document, unsupportedStructure)),

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
    loosenFigures(document);
    return checkedOf(JSON.parse(JSON.stringify(document)));
  },

  /** A document in which cards say what is known of their addresses, checked again. */
  withCards(input: { document: string; cards: Record<string, EmbedCard> }): Checked {
    const document = JSON.parse(input.document) as DocumentJson;
    for (const { attrs } of embedsIn(document))
      if (attrs?.title === "") Object.assign(attrs, input.cards[String(attrs.href)]);
    return checkedOf(document);
  },

  /** What is stored beside a checked document; of one that is not saved, what would be. */
  async render(input: {
    document: string;
    origin: string;
    images: Record<string, ResponsiveImage>;
    isUnsaved?: boolean;
  }): Promise<Rendered> {
    const document = forReaders(JSON.parse(input.document) as DocumentJson);
    const text = documentToText(document);
    return {
      html: documentToHtml(document, {
        origin: input.origin,
        headingLinks: true,
        image: (src) => (Object.hasOwn(input.images, src) ? input.images[src] : undefined),
        ...(input.isUnsaved ? { instead: (src: string) => saidOfElsewhere(src, input.origin) } : {}),
      }),
      text,
      excerpt: excerpt(document, 220),
      words: countWords(text),
      readingMinutes: readingMinutes(text),
      guessedLanguage: await guessLanguage(document),
    };
  },

  /**
   * Blocks of code with their parts marked, and formulas as MathML; null for one that stays as it is. After so many milliseconds
   * no other one is begun: the answer is shorter then, so that one text does not keep a thread from all others.
   */
  async drawPieces(input: { pieces: Piece[]; patience?: number }): Promise<(string | null)[]> {
    const drawn: (string | null)[] = [];
    const until = performance.now() + (input.patience ?? 4_000);
    // Some megabytes that only code needs, and some that only formulas do.
    for (const piece of input.pieces) {
      if (drawn.length > 0 && performance.now() > until) break;
      drawn.push(
        piece.formula
          ? (await import("../blogs/formula-html.ts")).formulaHtml(piece)
          : await (await import("../blogs/color-code.ts")).colorCode(piece),
      );
    }
    return drawn;
  },

  /** A text's HTML as pages draw it. */
  async draw({ html }: { html: string }): Promise<string> {
    const pieces = piecesToDraw(html);
    const drawn = pieces.length === 0 ? [] : await tasks.drawPieces({ pieces, patience: 8_000 });
    const nameOf = ({ language, formula, html: text }: Piece) => `${formula ?? ""} ${language} ${text}`;
    const byName = new Map(pieces.map((piece, at) => [nameOf(piece), drawn[at]]));
    return dress(html, (piece) => byName.get(nameOf(piece)));
  },

  /** A stored document as clients of the API load it: flat lists as in Quill. Who writes it has what readers don't, too. */
  flatHtml(input: { document: string; origin: string; isWriter: boolean }): { html: string } {
    const document = JSON.parse(input.document) as DocumentJson;
    const html = documentToHtml(input.isWriter ? document : forReaders(document), {
      lists: "flat",
      origin: input.origin,
    });
    return { html };
  },

  /** A stored document as Markdown, its pictures by these addresses. */
  async toMarkdown(input: {
    document: string;
    pictures: Record<string, string>;
    origin?: string | undefined;
  }): Promise<{ markdown: string }> {
    const { faithfulMarkdown } = await import("../exports/markdown.ts");
    const document = JSON.parse(input.document) as DocumentJson;
    const { pictures, origin } = input;
    return { markdown: await faithfulMarkdown(document, { picture: (src) => pictures[src] ?? src, origin }) };
  },

  /** Makes all of a long text searchable. */
  async index(input: { file: string; blogId: string }): Promise<void> {
    const { indexText } = await import("../database/index-text.ts");
    indexText(input.file, input.blogId);
  },

  /** Markdown; its pictures are named as they are written in it. */
  async markdown(input: { text: string }): Promise<Pending<{ path: string }> & { droppedLinks: string[] }> {
    const { markdownToDocument } = await import("../imports/markdown/markdown.ts");
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

  /**
   * A text of another site; its pictures are named as they are written in it, and so are its links to beside it or to one of
   * `origins`; cards are those of `origin`, this site. Of one to a heading within it `anchor` says where that is, null where there is none.
   */
  async foreignText(input: {
    kind: "html" | "markdown";
    text: string;
    origins: readonly string[];
    origin?: string;
  }): Promise<ForeignText> {
    // Some megabytes that only an import needs.
    const { htmlToDocument, markdownToDocument } = await import("../imports/markdown/markdown.ts");
    const pictures: ForeignText["pictures"] = [];
    const links: ForeignText["links"] = [];
    const [place, placeLink] = [pendingPlaces(), pendingPlaces("https://pending.invalid/")];
    const picture = (written: string) => {
      pictures.push({ src: place(), path: written });
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
        isLong.test(href) || input.origins.some((origin) => href === origin || href.startsWith(`${origin}/`))
          ? link(href)
          : null,
    };
    const read =
      input.kind === "markdown"
        ? await markdownToDocument(input.text, options)
        : { ...(await htmlToDocument(input.text, options)), unknown: [] };
    const { document, droppedLinks, unknown } = read;
    const anchors = links.some(({ written }) => written.startsWith("#")) ? anchorsOf(document) : undefined;
    for (const one of links)
      if (one.written.startsWith("#")) one.anchor = anchors?.get(lettersOf(one.written)) ?? null;
    return { document: JSON.stringify(document), pictures, links, droppedLinks, unknown };
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
