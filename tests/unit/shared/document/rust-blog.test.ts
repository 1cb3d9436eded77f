import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { parseHtml } from "../../../../src/server/text/parse-html.ts";
import { roundTripMarkdown } from "../../../../src/server/exports/markdown.ts";
import { readPost, type FrontMatter } from "../../../../src/server/imports/markdown/front-matter.ts";
import { markdownToDocument } from "../../../../src/server/imports/markdown/markdown.ts";
import { checkDocument } from "../../../../src/shared/document/check.ts";
import { schema, type DocumentJson, type NodeJson } from "../../../../src/shared/document/schema.ts";
import { markdownToHtml } from "../../../../src/shared/document/from-markdown.ts";
import { withNumberedNotes } from "../../../../src/shared/document/note-keys.ts";
import { unescapeHtml } from "../../../../src/shared/document/html-tags.ts";
import { documentToHtml } from "../../../../src/shared/document/to-html.ts";
import { documentToText } from "../../../../src/shared/document/to-text.ts";

/** Beside the repository, or beside the folder of its work trees. */
const folder = ["../../../../../shared", "../../../../../../shared"]
  .map((shared) => fileURLToPath(new URL(`${shared}/data/rust-blog`, import.meta.url)))
  .find((place) => existsSync(place))!;

interface Post {
  file: string;
  frontMatter: FrontMatter;
  body: string;
  document: DocumentJson;
  droppedLinks: string[];
  /** The pictures that it refers to, and whether they exist. */
  pictures: { name: string; exists: boolean }[];
  /** The counts of the document. */
  inDocument: ReturnType<typeof countNodes>;
  /** The counts of the source. */
  inSource: ReturnType<typeof countInSource>;
}

/** Counts what is in the source line by line, without a Markdown library, so that the two can disagree. */
function countInSource(body: string) {
  const counts = {
    headings: 0,
    fenced: 0,
    languages: {} as Record<string, number>,
    pictures: 0,
    tables: 0,
    links: new Set<string>(),
  };
  const prose: string[] = [];
  let fence: string | null = null;
  let previousLine = "";
  for (const line of body.split("\n")) {
    const [, mark, info = ""] = /^ {0,5}(`{3,}|~{3,})\s*([^`]*)$/.exec(line) ?? [];
    if (fence) {
      if (mark && !info.trim() && mark[0] === fence[0] && mark.length >= fence.length) fence = null;
      continue;
    }
    if (mark) {
      fence = mark;
      counts.fenced++;
      const language = info.trim().split(/[\s,]/)[0];
      if (language) counts.languages[language] = (counts.languages[language] ?? 0) + 1;
    } else if (
      /^ {0,3}#{1,6}\s+\S/.test(line) ||
      (/^ {0,3}(=+|-{3,})\s*$/.test(line) && /^ {0,3}[^\s#>*-]/.test(previousLine))
    )
      counts.headings++;
    else prose.push(line);
    previousLine = mark ? "" : line;
  }
  const text = prose.join("\n");
  counts.pictures = [...text.matchAll(/!\[[^\]]*\]\s?[([]/g)].length + [...text.matchAll(/<img /g)].length;
  counts.tables = [...text.matchAll(/<table>|^ *\|? *:?-+:? *\|[ |:-]*$/gm)].length;
  for (const [, address] of text.matchAll(/\]\(\s*<?(https?:[^\s)>]+)/g))
    counts.links.add(new URL(address as string).href);
  return counts;
}

function countNodes(document: DocumentJson) {
  const counts: Record<string, number> = {};
  const languages: Record<string, number> = {};
  const links = new Set<string>();
  const visit = (node: NodeJson) => {
    counts[node.type] = (counts[node.type] ?? 0) + 1;
    if (typeof node.attrs?.language === "string")
      languages[node.attrs.language] = (languages[node.attrs.language] ?? 0) + 1;
    for (const mark of node.marks ?? []) if (mark.type === "link") links.add(String(mark.attrs?.href));
    node.content?.forEach(visit);
  };
  visit(document);
  return { counts, languages, links };
}

async function readPostOf(file: string): Promise<Post> {
  const { frontMatter, body } = readPost(readFileSync(path.join(folder, file), "utf8"), file);
  const pictures: Post["pictures"] = [];
  const resolveImage = (name: string) => {
    const exists = existsSync(path.join(folder, path.dirname(file), name));
    pictures.push({ name, exists });
    return exists ? { src: `/media/${path.basename(name)}`, width: 640, height: 480 } : null;
  };
  const { document, droppedLinks } = await markdownToDocument(body, { resolveImage });
  return {
    file,
    frontMatter,
    body,
    document,
    droppedLinks,
    pictures,
    inDocument: countNodes(document),
    inSource: countInSource(body),
  };
}

function addUp(counts: Record<string, number>[]): Record<string, number> {
  const all: Record<string, number> = {};
  for (const nodeCounts of counts)
    for (const [name, count] of Object.entries(nodeCounts)) all[name] = (all[name] ?? 0) + count;
  return all;
}

describe.skipIf(!folder)("the posts of the Rust blog (in shared/data/rust-blog, where that exists)", () => {
  let posts: Post[] = [];

  beforeAll(async () => {
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
      (file) => file.endsWith(".md") && path.basename(file) !== "README.md",
    );
    posts = await Promise.all(files.map(readPostOf));
  });

  /** Returns something of each post by its file, so that a difference names the file. */
  const ofEach = <T>(valueOf: (post: Post) => T) =>
    Object.fromEntries(posts.map((post) => [post.file, valueOf(post)]));

  test("are all read, with title, authors and the date in their path", () => {
    expect(posts).toHaveLength(123);
    expect(posts.filter(({ frontMatter }) => !frontMatter.title || frontMatter.authors.length === 0)).toEqual(
      [],
    );
    expect(
      ofEach(({ frontMatter }) => frontMatter.date?.toISOString().slice(0, 10).replaceAll("-", "/")),
    ).toEqual(ofEach(({ frontMatter }) => frontMatter.path?.slice(0, 10)));
  });

  test("match the schema, and are the same after they were rendered as HTML and parsed", async () => {
    for (const { document } of posts) {
      expect(checkDocument(document)).toEqual({ ok: true, document });
      expect(await parseHtml(documentToHtml(document))).toEqual(document);
      expect(await parseHtml(documentToHtml(document, { lists: "flat" }))).toEqual(document);
    }
  });

  test("are the same after they were written as Markdown and read again", async () => {
    for (const { document } of posts) {
      const markdown = await roundTripMarkdown(document);
      const { document: again } = await markdownToDocument(markdown, {
        resolveImage: (src) => ({ src, width: 0, height: 0 }),
      });
      expect(again).toEqual(withNumberedNotes(document));
    }
  });

  test("return to a Quill client byte by byte", async () => {
    for (const { document } of posts) {
      const html = documentToHtml(document, { lists: "flat" });
      expect(documentToHtml(await parseHtml(html), { lists: "flat" })).toBe(html);
    }
  });

  test("keep their lists, items, quotations and lines", () => {
    const tags = { ul: "bullet_list", ol: "ordered_list", blockquote: "blockquote", hr: "horizontal_rule" };
    const countTags = ({ body }: Post) => {
      const html = markdownToHtml(body);
      const count = (tag: string) => html.split(new RegExp(`<${tag}[ >]`)).length - 1;
      return { ...Object.fromEntries(Object.keys(tags).map((tag) => [tag, count(tag)])), items: count("li") };
    };
    const countParts = ({ inDocument: { counts } }: Post) => ({
      ...Object.fromEntries(Object.entries(tags).map(([tag, type]) => [tag, counts[type] ?? 0])),
      items: (counts.list_item ?? 0) + (counts.task_item ?? 0) + (counts.footnote ?? 0),
    });
    expect(ofEach(countParts)).toEqual(ofEach(countTags));
  });

  test("keep their headings and tables", () => {
    expect(ofEach(({ inDocument }) => inDocument.counts.heading ?? 0)).toEqual(
      ofEach(({ inSource }) => inSource.headings),
    );
    expect(ofEach(({ inDocument }) => inDocument.counts.table ?? 0)).toEqual(
      ofEach(({ inSource }) => inSource.tables),
    );
  });

  test("keep their code, each block with its language", () => {
    expect(ofEach(({ inDocument }) => inDocument.languages)).toEqual(
      ofEach(({ inSource }) => inSource.languages),
    );
    // Some code blocks are indented instead of fenced.
    expect(
      posts.filter(({ inDocument, inSource }) => (inDocument.counts.code_block ?? 0) < inSource.fenced),
    ).toEqual([]);
  });

  test("resolve all of their pictures, and keep those that exist", () => {
    expect(ofEach(({ pictures }) => pictures.length)).toEqual(ofEach(({ inSource }) => inSource.pictures));
    expect(ofEach(({ inDocument }) => inDocument.counts.image ?? 0)).toEqual(
      ofEach(({ pictures }) => pictures.filter(({ exists }) => exists).length),
    );
  });

  test("keep their links", () => {
    const lost = ({ inDocument, inSource }: Post) => {
      const links = [...inDocument.links].map((href) => new URL(href).href);
      return [...inSource.links].filter((address) => !links.some((href) => href.startsWith(address)));
    };
    expect(posts.flatMap(lost)).toEqual([]);
  });

  test("have these totals", () => {
    expect(addUp(posts.map(({ inDocument }) => inDocument.counts))).toMatchObject({
      heading: 653,
      bullet_list: 291,
      ordered_list: 13,
      list_item: 4041,
      code_block: 441,
      blockquote: 57,
      table: 8,
      table_row: 43,
      image: 77,
      horizontal_rule: 5,
    });
    expect(posts.reduce((all, { inDocument }) => all + inDocument.links.size, 0)).toBe(2317);
    // Links within the same text, to the old site, and to one file beside it.
    expect(posts.flatMap(({ droppedLinks }) => droppedLinks)).toHaveLength(21);
  });

  test("lose no text", () => {
    const plain = (text: string) => text.replace(/\s+/g, " ").trim();
    // Lines of the source that contain nothing but words.
    const lost = ({ body, document }: Post) => {
      const text = plain(documentToText(document));
      return (body.replace(/<!--.*?-->/gs, "").match(/^[A-Za-z][^[\]<>*_`\\&:|\n]{30,}$/gm) ?? []).filter(
        (line) => !text.includes(plain(line)),
      );
    };
    expect(posts.flatMap(lost)).toEqual([]);
  });

  test("keep each word, in its order", () => {
    const words = (text: string) => text.match(/[\p{L}\p{N}]+/gu) ?? [];
    const blockTags = /<!--.*?-->|<\/?(?:p|li|td|th|tr|h\d|pre|br|div|blockquote)\b[^>]*>/gs;
    // Of a picture that does not exist the description stays.
    const sourceText = ({ body }: Post) =>
      unescapeHtml(
        markdownToHtml(body)
          .replace(/<img\b[^>]*?alt="([^"]*)"[^>]*>/g, " $1 ")
          .replace(blockTags, " ")
          .replace(/<[^>]*>/gs, ""),
      );
    const documentText = ({ document }: Post) => {
      const { content } = schema.nodeFromJSON(document);
      return content.textBetween(0, content.size, " ", ({ attrs }) => ` ${String(attrs.alt ?? "")} `);
    };
    expect(ofEach((post) => words(documentText(post)))).toEqual(ofEach((post) => words(sourceText(post))));
  });
});
