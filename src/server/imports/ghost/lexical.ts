import { DocumentError } from "../../../shared/document/document-error.ts";
import { documentLimits } from "../../../shared/document/limits.ts";
import { escapeHtml, tag } from "../reading/html.ts";
import { isRow, list, said, short, type Row } from "../reading/values.ts";
import { cardHtml, type Telling } from "./cards.ts";

// A format is a sum of these; the first is the innermost.
const formats: [number, string][] = [
  [16, "code"],
  [1, "strong"],
  [2, "em"],
  [4, "s"],
  [8, "u"],
  [32, "sub"],
  [64, "sup"],
  [128, "mark"],
];

/** A text of Ghost's present editor (a tree as JSON) as HTML. Throws `DocumentError` where it is too deep. */
export function lexicalToHtml(editorState: Row, telling: Telling): string {
  const { root } = editorState;
  return isRow(root) ? childrenOf(root, telling, 0) : "";
}

function childrenOf(node: Row, telling: Telling, depth: number): string {
  // A document ends here too: what is deeper would be refused.
  if (depth > documentLimits.depth * 2)
    throw new DocumentError(
      `This text is nested too deeply: lists, quotations and tables can be at most ${documentLimits.depth} levels inside each other.`,
    );
  return list(node.children)
    .filter(isRow)
    .map((child) => nodeHtml(child, telling, depth + 1))
    .join("");
}

function nodeHtml(node: Row, telling: Telling, depth: number): string {
  const type = said(node.type) ?? "";
  const inner = () => childrenOf(node, telling, depth);
  const style =
    typeof node.format === "string" && node.format ? `text-align: ${node.format.replace(/\W/g, "")}` : "";
  switch (type) {
    case "text":
    case "extended-text":
      return textHtml(node);
    case "linebreak":
      return "<br>";
    case "tab":
      return "\t";
    case "paragraph":
      return tag("p", { style }, inner());
    case "heading":
    case "extended-heading":
      return tag(/^h[1-6]$/.test(said(node.tag) ?? "") ? String(node.tag) : "h2", { style }, inner());
    case "quote":
    case "extended-quote":
    case "aside":
      return tag("blockquote", {}, inner());
    case "list":
      return listHtml(node, telling, depth);
    case "listitem":
      return tag("li", {}, inner());
    case "link":
    case "autolink":
    case "at-link":
      return tag("a", { href: said(node.url), title: said(node.title) }, inner());
    case "horizontalrule":
      return "<hr>";
    default:
      return unknown(node, type, telling, depth);
  }
}

function unknown(node: Row, type: string, telling: Telling, depth: number): string {
  const card = cardHtml(type, node, telling);
  if (card !== undefined) return card;
  const inner = childrenOf(node, telling, depth);
  telling.tell(`${inner ? "Kept as text" : "Skipped"}: a part of unknown type ${short(type, 60)}`);
  return inner;
}

function textHtml(node: Row): string {
  const text = typeof node.text === "string" ? node.text : "";
  const format = Number(node.format) || 0;
  return formats.reduce(
    (inner, [bit, name]) => (format & bit ? tag(name, {}, inner) : inner),
    escapeHtml(text),
  );
}

/** A list within a list stands in an item of its own: it belongs to the one before. */
function listHtml(node: Row, telling: Telling, depth: number): string {
  const items: { inner: string; checked: boolean | null }[] = [];
  for (const item of list(node.children).filter(isRow)) {
    const inner = childrenOf(item, telling, depth + 1);
    const within = list(item.children);
    const isOnlyLists = within.length > 0 && within.every((child) => isRow(child) && child.type === "list");
    const checked = node.listType === "check" ? item.checked === true : null;
    const before = items.at(-1);
    if (isOnlyLists && before) before.inner += inner;
    else items.push({ inner, checked });
  }
  const name = node.listType === "number" || node.tag === "ol" ? "ol" : "ul";
  const start = name === "ol" && node.start !== 1 ? said(node.start) : undefined;
  return tag(
    name,
    { start },
    items.map(({ inner, checked }) => tag("li", { "data-checked": checked }, inner)).join(""),
  );
}
