import { DocumentError } from "../../../shared/document/document-error.ts";
import { documentLimits } from "../../../shared/document/limits.ts";
import { escapeHtml, tag } from "../reading/html.ts";
import { isRow, list, trimmedText, short, type Row } from "../reading/values.ts";
import { cardHtml, type BodyReporter } from "./cards.ts";

// Bits of a format; the first is the innermost tag.
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

/** Converts Ghost's current format, a JSON tree, to HTML. Throws `DocumentError` when it is too deep. */
export function lexicalToHtml(editorState: Row, reporter: BodyReporter): string {
  const { root } = editorState;
  return isRow(root) ? childrenOf(root, reporter, 0) : "";
}

function childrenOf(node: Row, reporter: BodyReporter, depth: number): string {
  // A document would refuse deeper nesting anyway.
  if (depth > documentLimits.depth * 2)
    throw new DocumentError(
      `This text is nested too deeply: lists, quotations and tables can be at most ${documentLimits.depth} levels inside each other.`,
    );
  return list(node.children)
    .filter(isRow)
    .map((child) => nodeHtml(child, reporter, depth + 1))
    .join("");
}

function nodeHtml(node: Row, reporter: BodyReporter, depth: number): string {
  const type = trimmedText(node.type) ?? "";
  const inner = () => childrenOf(node, reporter, depth);
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
      return tag(/^h[1-6]$/.test(trimmedText(node.tag) ?? "") ? String(node.tag) : "h2", { style }, inner());
    case "quote":
    case "extended-quote":
    case "aside":
      return tag("blockquote", {}, inner());
    case "list":
      return listHtml(node, reporter, depth);
    case "listitem":
      return tag("li", {}, inner());
    case "link":
    case "autolink":
    case "at-link":
      return tag("a", { href: trimmedText(node.url), title: trimmedText(node.title) }, inner());
    case "horizontalrule":
      return "<hr>";
    default:
      return unknown(node, type, reporter, depth);
  }
}

function unknown(node: Row, type: string, reporter: BodyReporter, depth: number): string {
  const card = cardHtml(type, node, reporter);
  if (card !== undefined) return card;
  const inner = childrenOf(node, reporter, depth);
  reporter.reportProblem(`${inner ? "Kept as text" : "Skipped"}: a part of unknown type ${short(type, 60)}`);
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

/** Joins a nested list, which Lexical puts in an item of its own, to the item before. */
function listHtml(node: Row, reporter: BodyReporter, depth: number): string {
  const items: { inner: string; checked: boolean | null }[] = [];
  for (const item of list(node.children).filter(isRow)) {
    const inner = childrenOf(item, reporter, depth + 1);
    const children = list(item.children);
    const isOnlyLists =
      children.length > 0 && children.every((child) => isRow(child) && child.type === "list");
    const checked = node.listType === "check" ? item.checked === true : null;
    const previous = items.at(-1);
    if (isOnlyLists && previous) previous.inner += inner;
    else items.push({ inner, checked });
  }
  const name = node.listType === "number" || node.tag === "ol" ? "ol" : "ul";
  const start = name === "ol" && node.start !== 1 ? trimmedText(node.start) : undefined;
  return tag(
    name,
    { start },
    items.map(({ inner, checked }) => tag("li", { "data-checked": checked }, inner)).join(""),
  );
}
