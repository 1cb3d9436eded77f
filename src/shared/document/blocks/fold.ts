import type { Node as DocumentNode } from "prosemirror-model";
import type { Block, MarkdownWriter } from "../block.ts";
import { elementsNamed, ownerOf, rename, tagOf, unfoldBlocks, keepsSpaces } from "../dom.ts";

/** Blocks that open with a click on their summary. */
export const foldBlock = {
  nodes: {
    fold: {
      group: "block",
      content: "fold_summary block+",
      defining: true,
      parseDOM: [{ tag: "details" }],
      toDOM: () => ["details", 0],
      markdown: (node, out) => (out.isWithin ? null : toMarkdown(node, out)),
    },

    fold_summary: {
      content: "inline*",
      defining: true,
      parseDOM: [
        {
          tag: "summary",
          preserveWhitespace: true,
          getAttrs: (dom) => (keepsSpaces(dom) ? {} : false),
        },
        { tag: "summary" },
      ],
      toDOM: () => ["summary", 0],
    },
  },
  straighten: straightenFolds,
} satisfies Block;

/** Writes the summary as HTML and the content as Markdown, as GitHub does. */
function toMarkdown(node: DocumentNode, out: MarkdownWriter): string | null {
  const [summary, ...rest] = node.children;
  if (rest.length === 0) return null;
  const html = out.html(node.type.create(null, [summary!, node.type.schema.nodes.paragraph!.create()]));
  const begin = html.slice(0, html.lastIndexOf("</summary>") + "</summary>".length);
  return `${begin}\n\n${out.blocks(node.copy(node.content.cut(summary!.nodeSize)))}\n\n</details>`;
}

function straightenFolds(root: Node): void {
  const summaries = new Map<Node, Element>();
  for (const summary of elementsNamed(root, "summary")) {
    const parent = summary.parentNode;
    if (!parent) continue;
    if (tagOf(parent) === "details" && !summaries.has(parent)) {
      summaries.set(parent, summary);
      unfoldBlocks(summary);
    } else rename(summary, "p");
  }
  for (const element of elementsNamed(root, "details")) {
    const summary = summaries.get(element) ?? ownerOf(element).createElement("summary");
    if (element.firstChild !== summary) element.insertBefore(summary, element.firstChild);
  }
}
