import type { Block, MarkdownReader } from "../block.ts";
import { elementsNamed, firstShown, hasClass, isElement, rename, tagOf } from "../dom.ts";
import { quoted } from "../markdown-signs.ts";
import { isOneOf } from "../values.ts";

/** The first is the default. */
const calloutKinds = ["note", "tip", "warning"] as const;
export type CalloutKind = (typeof calloutKinds)[number];

const labels: Record<CalloutKind, string> = { note: "Note", tip: "Tip", warning: "Warning" };

/** Returns our kind for another program's word; GitHub has five. */
export function calloutKind(word: string | undefined): CalloutKind {
  const kindWord = word?.toLowerCase() ?? "";
  if (/^(?:tip|hint|success|green)$/.test(kindWord)) return "tip";
  return /^(?:warning|caution|danger|important|attention|red|yellow)$/.test(kindWord) ? "warning" : "note";
}

function kindInClass(dom: Element): CalloutKind {
  const classKind = /(?:^|\s)callout-([\w-]+)/.exec(dom.getAttribute("class") ?? "")?.[1];
  return calloutKinds.find((kind) => kind === classKind) ?? "note";
}

/** A box with a note, a tip or a warning. */
export const calloutBlock = {
  nodes: {
    callout: {
      group: "block",
      content: "block+",
      defining: true,
      attrs: { kind: { default: "note", validate: isOneOf(...calloutKinds) } },
      parseDOM: [
        {
          tag: "aside",
          getAttrs: (dom) => (hasClass(dom, "callout") ? { kind: kindInClass(dom) } : false),
        },
      ],
      toDOM: (node) => ["aside", { class: `callout callout-${String(node.attrs.kind)}` }, 0],
      html: {
        before: ({ attrs }) => `<p class="callout-label">${labels[attrs.kind as CalloutKind]}</p>`,
      },
      // As GitHub has them.
      markdown(node, out) {
        const begin = node.firstChild?.type.name === "paragraph" ? "" : "\n";
        const sign = `[!${String(node.attrs.kind).toUpperCase()}]\n`;
        return quoted(sign + begin + out.within().blocks(node));
      },
    },
  },
  fromMarkdown: readCallouts,
  straighten: straightenCallouts,
} satisfies Block;

/** Reads GitHub's `> [!NOTE]`, before inline parsing, while escapes are still visible. */
function readCallouts(markdown: MarkdownReader): void {
  markdown.core.ruler.after("block", "callouts", ({ tokens }) => {
    const quotes: number[] = [];
    for (const [at, token] of tokens.entries()) {
      if (token.type === "blockquote_open") quotes.push(at);
      else if (token.type === "blockquote_close") {
        const begin = tokens[quotes.pop() ?? -1];
        if (begin) token.tag = begin.tag;
      }
      const quote = tokens[at - 2];
      if (
        token.type !== "inline" ||
        tokens[at - 1]?.type !== "paragraph_open" ||
        quote?.type !== "blockquote_open"
      )
        continue;
      const [sign, kind] =
        /^\[!(note|tip|important|warning|caution)\][ \t]*(?:\n|$)/i.exec(token.content) ?? [];
      if (sign === undefined) continue;
      quote.tag = "aside";
      quote.attrSet("class", `callout callout-${calloutKind(kind)}`);
      token.content = token.content.slice(sign.length);
      if (token.content === "") for (const one of tokens.slice(at - 1, at + 2)) one.hidden = true;
    }
  });
}

/** Reads GitHub's callouts, and drops the labels of ours: they are rendered from the kind. */
function straightenCallouts(root: Node): void {
  for (const element of elementsNamed(root, "div", "aside"))
    if (hasClass(element, "markdown-alert")) {
      const kind = /(?:^|\s)markdown-alert-(\w+)/.exec(element.getAttribute("class") ?? "")?.[1];
      const renamed = rename(element, "aside");
      renamed.setAttribute("class", `callout callout-${calloutKind(kind)}`);
      dropTitle(renamed, "markdown-alert-title");
    } else if (tagOf(element) === "aside" && hasClass(element, "callout"))
      dropTitle(element, "callout-label");
}

function dropTitle(element: Element, name: string): void {
  const first = firstShown(element);
  if (isElement(first) && hasClass(first, name)) first.remove();
}
