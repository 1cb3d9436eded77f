import { readdirSync, readFileSync } from "node:fs";
import { Slice } from "prosemirror-model";
import { afterAll, expect, test } from "vitest";
import { withoutSourceColors, withCellStyles } from "../../../../src/client/editor/pasted-styles.ts";
import { withDirectLinks } from "../../../../src/client/editor/pasted-links.ts";
import { parseHtml } from "../../../../src/server/text/parse-html.ts";
import { schema, type NodeJson } from "../../../../src/shared/document/schema.ts";

/*
 * What other programs put on the clipboard, in their own markup but with our words, and beside each file the structures that
 * its text has there. The editor reads pasted text with the same parser.
 */

const folder = new URL("../../../fixtures/clipboard/", import.meta.url);
const names = readdirSync(folder).flatMap((file) => (file.endsWith(".clip") ? [file.slice(0, -5)] : []));
const read = (file: string) => readFileSync(new URL(file, folder), "utf8");

const blocks: Record<string, string> = {
  bullet_list: "ul",
  ordered_list: "ol",
  blockquote: "quote",
  pull_quote: "pull",
  callout: "callout",
  table_cell: "td",
  table_header: "th",
  fold: "fold",
  footnote: "note",
};

/** Returns the words of a block, with signs for what is no text. */
const inlineText = (content: readonly NodeJson[]): string =>
  content
    .map(({ type, text = "", attrs }) => {
      if (type === "formula") return `$${String(attrs?.tex)}$`;
      return type === "hard_break" ? "⏎" : type === "footnote_ref" ? `[${String(attrs?.note)}]` : text;
    })
    .join("");

/** Returns the part of a path for a block that contains others. */
function pathPart({ type, attrs = {} }: NodeJson): string | undefined {
  const name = blocks[type];
  if (type === "ordered_list" && attrs.order !== 1) return `${name}@${String(attrs.order)}`;
  if (type === "callout") return `${name}.${String(attrs.kind)}`;
  if (type === "footnote") return `${name}[${String(attrs.note)}]`;
  const isMerged = type.startsWith("table_") && (attrs.colspan !== 1 || attrs.rowspan !== 1);
  return name && isMerged ? `${name}(${String(attrs.colspan)}x${String(attrs.rowspan)})` : name;
}

/** Returns a line for each block, mark and picture of the document. */
function structures(document: NodeJson): string[] {
  const lines: string[] = [];
  const walk = (node: NodeJson, path: readonly string[]): void => {
    const { type, content = [] } = node;
    const attrs = (node.attrs ?? {}) as Record<string, string | number | null>;
    const inner = inlineText(content);
    if (type === "table") lines.push(`table ${content.length} x ${content[0]?.content?.length ?? 0}`);
    if (type === "figure") {
      const [picture, caption] = content;
      const captionText = inlineText(caption?.content ?? []);
      lines.push(`figure.${attrs.size} ${String(picture?.attrs?.src)}${captionText && ` | ${captionText}`}`);
    } else if (type === "horizontal_rule") lines.push("hr");
    else if (type === "code_block")
      lines.push(`${[...path, "pre"].join("/")} ${attrs.language ?? "-"} ${inner.replaceAll("\n", "⏎")}`);
    else if (type === "formula_block") lines.push(`${[...path, "math"].join("/")} ${inner}`);
    else if (type === "embed") lines.push(`embed ${String(attrs.href)}`);
    else if (type === "fold_summary") lines.push(`${[...path, "summary"].join("/")} ${inner}`);
    else if (type === "paragraph" || type === "heading") {
      const ownTag =
        type === "heading"
          ? `h${attrs.level}`
          : path.length > 0 && !/^(?:quote|pull|callout)/.test(path.at(-1)!)
            ? ""
            : "p";
      const location = [...path, ownTag].filter(Boolean).join("/");
      const images = content.filter((inline) => inline.type === "image");
      if (inner !== "" || images.length === 0)
        lines.push(`${location}${attrs.align ? `.${attrs.align}` : ""} ${inner}`);
      const markLines: string[] = [];
      for (const { text = "", marks = [] } of content)
        for (const mark of marks) {
          const name = { strike: "s" }[mark.type] ?? mark.type;
          markLines.push(name === "link" ? `link ${String(mark.attrs?.href)} ${text}` : `${name} ${text}`);
        }
      lines.push(...markLines, ...images.map((image) => `image ${String(image.attrs?.src)}`));
    } else {
      const name = pathPart(node);
      const box = `${path.at(-1)}[${attrs.checked ? "x" : " "}]`;
      const childPath = type === "task_item" ? [...path.slice(0, -1), box] : name ? [...path, name] : path;
      for (const child of content) walk(child, childPath);
    }
  };
  walk(document, []);
  return lines;
}

const shares: string[] = [];
afterAll(() => console.log(`Structures kept of what is pasted:\n${shares.join("\n")}`));

test.each(names)("keeps the structure of what is copied from %s", async (name) => {
  const expected = read(`${name}.txt`).split("\n").slice(0, -1);
  const document = schema.nodeFromJSON(await parseHtml(withCellStyles(read(`${name}.clip`))));
  const found = structures(
    document
      .copy(withDirectLinks(withoutSourceColors(new Slice(document.content, 0, 0))).content)
      .toJSON() as NodeJson,
  );
  const remaining = [...found];
  const matched = expected.filter((line) => {
    const at = remaining.indexOf(line);
    if (at >= 0) remaining.splice(at, 1);
    return at >= 0;
  });
  shares.push(`  ${name}: ${matched.length} of ${expected.length}`);
  expect(found).toEqual(expected);
});
