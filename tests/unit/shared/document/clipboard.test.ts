import { readdirSync, readFileSync } from "node:fs";
import { Slice } from "prosemirror-model";
import { afterAll, expect, test } from "vitest";
import { withoutSourceColors } from "../../../../src/client/editor/pasted-colors.ts";
import { parseHtml } from "../../../../src/server/blogs/parse-html.ts";
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
};

/** Returns a line for each block, mark and picture of the document. */
function structures(document: NodeJson): string[] {
  const lines: string[] = [];
  const walk = (node: NodeJson, path: readonly string[]): void => {
    const { type, content = [] } = node;
    const attrs = (node.attrs ?? {}) as Record<string, string | number | null>;
    const inner = content.flatMap(({ text = "" }) => text).join("");
    if (type === "table") lines.push(`table ${content.length} x ${content[0]?.content?.length ?? 0}`);
    if (type === "figure") {
      const [picture, caption] = content;
      const captionText = (caption?.content ?? []).flatMap(({ text = "" }) => text).join("");
      lines.push(`figure.${attrs.size} ${String(picture?.attrs?.src)}${captionText && ` | ${captionText}`}`);
    } else if (type === "horizontal_rule") lines.push("hr");
    else if (type === "code_block") lines.push(`pre ${attrs.language ?? "-"} ${inner.replaceAll("\n", "⏎")}`);
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
      const suffix =
        type === "ordered_list" && attrs.order !== 1
          ? `@${attrs.order}`
          : type === "callout"
            ? `.${attrs.kind}`
            : "";
      const name = blocks[type];
      const box = `${path.at(-1)}[${attrs.checked ? "x" : " "}]`;
      const childPath =
        type === "task_item" ? [...path.slice(0, -1), box] : name ? [...path, `${name}${suffix}`] : path;
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
  const document = schema.nodeFromJSON(await parseHtml(read(`${name}.clip`)));
  const found = structures(
    document.copy(withoutSourceColors(new Slice(document.content, 0, 0)).content).toJSON() as NodeJson,
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
