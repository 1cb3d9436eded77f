import type { Node } from "prosemirror-model";
import type { Block, MarkdownReader, MarkdownWriter } from "../block.ts";
import { openTag } from "../html-tags.ts";
import { indented, isPlainText } from "../markdown-signs.ts";
import { isOneOf, isWhole, isWholeBetween } from "../values.ts";
import { straightenLists, straightenTasks } from "./list-reading.ts";

const maxOrder = 1_000_000;

export const listBlock = {
  nodes: {
    bullet_list: {
      group: "block",
      content: "(list_item | task_item)+",
      parseDOM: [{ tag: "ul" }],
      toDOM: () => ["ul", 0],
      markdown: toMarkdown,
    },

    ordered_list: {
      group: "block",
      content: "list_item+",
      attrs: { order: { default: 1, validate: isWhole(0, maxOrder) } },
      parseDOM: [
        {
          tag: "ol",
          getAttrs: (dom) => {
            const start = Number(/^\d{1,7}$/.exec(dom.getAttribute("start") ?? "")?.[0] ?? 1);
            return { order: isWholeBetween(start, 0, maxOrder) ? start : 1 };
          },
        },
      ],
      toDOM: (node) => ["ol", node.attrs.order === 1 ? {} : { start: String(node.attrs.order) }, 0],
      markdown: toMarkdown,
    },

    list_item: {
      content: "paragraph block*",
      defining: true,
      parseDOM: [{ tag: "li" }],
      toDOM: () => ["li", 0],
    },

    /** With a checkbox. */
    task_item: {
      content: "paragraph block*",
      defining: true,
      attrs: { checked: { default: false, validate: isOneOf(true, false) } },
      parseDOM: [
        {
          tag: "li",
          priority: 60,
          context: "bullet_list/",
          getAttrs: (dom) => {
            const checkedValue = dom.getAttribute("data-checked");
            return (
              (checkedValue === "true" || checkedValue === "false") && { checked: checkedValue === "true" }
            );
          },
        },
      ],
      toDOM: (node) => ["li", { "data-checked": String(node.attrs.checked) }, 0],
      html: {
        before: ({ attrs }) =>
          openTag("input", {
            type: "checkbox",
            "aria-label": "Done",
            checked: attrs.checked ? "" : null,
            disabled: "",
          }),
      },
    },
  },

  fromMarkdown: readTasks,

  straighten(root) {
    straightenTasks(root);
    straightenLists(root);
  },
} satisfies Block;

/** Whether it may follow a line of text without an empty line. */
const isListOfOne = ({ type, attrs }: Node): boolean =>
  type.name === "bullet_list" || (type.name === "ordered_list" && attrs.order === 1);

function toMarkdown(node: Node, out: MarkdownWriter): string {
  // Only an empty line ends an HTML block.
  const isTight = node.children.every(
    ({ children: [first, ...rest] }) =>
      (rest.length === 0 || (first && isPlainText(first))) && rest.every(isListOfOne),
  );
  const items = node.children.map((item, at) => {
    const begin =
      node.type.name === "ordered_list"
        ? `${Number(node.attrs.order) + at}${out.bullet === "-" ? "." : ")"} `
        : `${out.bullet} `;
    const task = item.type.name === "task_item" ? `[${item.attrs.checked ? "x" : " "}] ` : "";
    const content = out.within().blocks(item, isTight ? "\n" : "\n\n");
    return begin + task + indented(content, " ".repeat(begin.length));
  });
  return items.join(isTight ? "\n" : "\n\n");
}

/** Reads `- [ ] a task`, before inline parsing, while escapes are still visible. */
function readTasks(markdown: MarkdownReader): void {
  markdown.core.ruler.after("block", "tasks", ({ tokens }) => {
    const lists: string[] = [];
    for (const [at, token] of tokens.entries()) {
      if (/^(?:bullet|ordered)_list_open$/.test(token.type)) lists.push(token.type);
      else if (/^(?:bullet|ordered)_list_close$/.test(token.type)) lists.pop();
      const item = tokens[at - 2];
      if (
        token.type !== "inline" ||
        tokens[at - 1]?.type !== "paragraph_open" ||
        item?.type !== "list_item_open" ||
        lists.at(-1) !== "bullet_list_open"
      )
        continue;
      const [sign, box] = /^\[([ xX])\][ \t]+(?=\S)/.exec(token.content) ?? [];
      if (sign === undefined) continue;
      item.attrSet("data-checked", String(box !== " "));
      token.content = token.content.slice(sign.length);
    }
  });
}
