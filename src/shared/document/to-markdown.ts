import type { Mark, Node } from "prosemirror-model";
import { beforeDollar, behindDollar, isBetweenDollars } from "./tex.ts";
import { schema, type DocumentJson } from "./schema.ts";
import { escapeHtml, markTags, nodeToHtml } from "./to-html.ts";

/** Escapes what would begin an emphasis, link, code, entity, tag, URL or shortcode of a site generator. */
const escaped = (text: string): string =>
  text
    .replace(/[\\`*[\]<~|]/g, "\\$&")
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\_")
    .replace(/&(?=#?\w+;)/g, "\\&")
    .replace(/:(?=\/\/)|(?<=mailto):/gi, "\\:")
    .replace(/\b(www)\./gi, "$1\\.")
    // At the beginning of a piece: after a picture it would be its attributes.
    .replace(/\{(?=[{%:#.]|[ \t]*[\w-]+=)|^\{/g, "&#123;")
    .replace(/:(?=::)|=(?=\d+x\d*\))/g, "\\$&");

/** Escapes shortcodes, pictures and tasks that site generators would find in HTML. */
const escapeShortcodes = (html: string): string =>
  html.replace(
    /\{(?=[{%:#.]|[ \t]*[\w-]+=)|!(?=\[)|\[(?=[ xX]\])|:(?=::)|=(?=\d+x\d*\))/g,
    (sign) => `&#${sign.charCodeAt(0)};`,
  );

/** What site generators would replace in code that they do not recognize. */
const changes = /\{(?:[{%:#.]|[ \t]*[\w-]+=)|!\[|:::|=\d+x|[-*+.)]\s+\[[ xX]\]/;
/** What they would replace even in code. */
const highlights = /\{(?:\{[<%]|%-?)\s*highlight/;

/** Escapes what would make a line another block. */
const lineStart = (line: string): string =>
  line.replace(/^(\d{1,9})([.)])(?=\s|$)/, "$1\\$2").replace(/^(?:[#>+=:]|-(?=\s|-|$))/, "\\$&");

/** Escapes dollars. A single one in a block is a price and needs no escape. */
const withoutFormulas = (text: string): string => text.replace(/\$/g, "\\$");
const mayHaveFormulas = (parent: Node): boolean =>
  parent.children.some(({ type }) => type.name === "formula") || /\$[^$]*\$/.test(parent.textContent);

const simpleMarks: Record<string, string> = { strong: "**", em: "_", strike: "~~" };
const isWord = (text: string | undefined): boolean => text !== undefined && /^[\p{L}\p{N}]$/u.test(text);

function tagsOf(mark: Mark): { open: string; close: string } {
  const { open, close } = markTags(mark);
  const tags = { open: escapeShortcodes(open), close };
  if (mark.type.name !== "link") return tags;
  const { href, title } = mark.attrs as { href: string; title: string | null };
  // A non-ASCII URL would be read back in another spelling.
  const isPlain = !/[^!-~]|[<>\\&{]/.test(href) && !/[\\&\n{!]/.test(title ?? "");
  if (!isPlain) return tags;
  return { open: "[", close: `](<${href}>${title === null ? "" : ` "${title.replace(/"/g, '\\"')}"`})` };
}

/** Whether Markdown's delimiters work: within words they do not, so marks become tags. */
function canBeSigns(parent: Node, from: number, to: number): boolean {
  const text = (at: number) => parent.maybeChild(at)?.text;
  const [first, last] = [text(from), text(to - 1)];
  if (!first || !last) return false;
  return (
    isWord([...first][0]) &&
    isWord([...last].at(-1)) &&
    !isWord([...(text(from - 1) ?? " ")].at(-1)) &&
    !isWord([...(text(to) ?? " ")][0])
  );
}

function inline(parent: Node, parentContext: MarkdownContext): string {
  const context = { ...parentContext, hasDollars: mayHaveFormulas(parent) };
  const out: string[] = [];
  const open: { mark: Mark; close: string }[] = [];
  parent.forEach((node, _offset, index) => {
    const coded = node.isText && node.marks.at(-1)?.type.name === "code" && canBeCode(node.text ?? "");
    const marks = coded ? node.marks.slice(0, -1) : node.marks;
    const differs = open.findIndex(({ mark }, at) => !marks[at]?.eq(mark));
    const same = differs === -1 ? open.length : differs;
    while (open.length > same) out.push(open.pop()?.close ?? "");
    for (const [at, mark] of marks.entries()) {
      if (at < same) continue;
      const until = endOf(parent, index, marks.slice(0, at + 1));
      const sign = simpleMarks[mark.type.name];
      const { open: begin, close } =
        sign && canBeSigns(parent, index, until) ? { open: sign, close: sign } : tagsOf(mark);
      out.push(begin);
      open.push({ mark, close });
    }
    out.push(
      coded
        ? codeOf(node.text ?? "")
        : node.type.name === "formula"
          ? formulaOf(node, parent.maybeChild(index - 1), parent.maybeChild(index + 1))
          : leafOf(node, context),
    );
  });
  while (open.length > 0) out.push(open.pop()?.close ?? "");
  return out.join("").split("\n").map(lineStart).join("\n");
}

/** Returns the index up to which children continue these outermost marks. */
function endOf(parent: Node, from: number, marks: readonly Mark[]): number {
  let to = from + 1;
  while (to < parent.childCount && marks.every((mark, at) => parent.child(to).marks[at]?.eq(mark))) to++;
  return to;
}

const canBeCode = (text: string): boolean =>
  text.trim() !== "" && !/\s{2}|^\s|\s$|[\n\t|]/.test(text) && !changes.test(text);

function codeOf(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const space = /^`|`$/.test(text) ? " " : "";
  return fence + space + text + space + fence;
}

/** Writes a formula between dollars if it would be read back as one, else as HTML. */
function formulaOf(formula: Node, before: Node | null, behind: Node | null): string {
  const tex = String(formula.attrs.tex);
  const isClear =
    isBetweenDollars(tex) &&
    !changes.test(tex) &&
    (!before || (before.isText && beforeDollar.test(before.text!.at(-1)!) && before.marks.length === 0)) &&
    (!behind || (behind.isText && !behindDollar.test([...behind.text!][0]!) && behind.marks.length === 0)) &&
    formula.marks.length === 0;
  if (isClear) return `$${tex}$`;
  const html = escapeHtml(tex).replaceAll("$", "&#36;");
  return escapeShortcodes(`<span class="ql-formula" data-value="${html}"></span>`);
}

function leafOf(node: Node, { picture, hasDollars }: MarkdownContext): string {
  if (node.isText) return hasDollars ? withoutFormulas(escaped(node.text ?? "")) : escaped(node.text ?? "");
  if (node.type.name === "hard_break") return "\\\n";
  if (node.type.name === "footnote_ref") return `[^${String(node.attrs.note)}]`;
  const { alt, title, width, height } = node.attrs as Record<string, string | number | null>;
  const src = picture(String(node.attrs.src));
  const attributes = { src, alt, title, width, height };
  const isPlain =
    width === null &&
    height === null &&
    !/[^!-~]|[<>\\&{]/.test(src) &&
    ![alt, title].some((text) => /[{<>\\&"[\]*_`~|\n]|:\/\//.test(String(text ?? "")));
  if (isPlain) return `![${alt ?? ""}](<${src}>${title === null ? "" : ` "${title}"`})`;
  const presentAttributes = Object.entries(attributes).filter(([, value]) => value !== null);
  return escapeShortcodes(
    `<img${presentAttributes.map(([name, value]) => ` ${name}="${escapeHtml(String(value))}"`).join("")}>`,
  );
}

const isPlainBlock = ({ attrs }: Node): boolean =>
  (attrs.align ?? null) === null && (attrs.indent ?? 0) === 0;
/** Whether it may follow a line of text without an empty line. */
const isListOfOne = ({ type, attrs }: Node): boolean =>
  type.name === "bullet_list" || (type.name === "ordered_list" && attrs.order === 1);
const isPlainText = (block: Node): boolean =>
  isPlainBlock(block) && block.childCount > 0 && !hasCollapsibleSpaces(block);
const indented = (text: string, by: string): string => text.replace(/\n(?=[^\n])/g, `\n${by}`);

function blockOf(node: Node, sign: string, context: MarkdownContext): string {
  const asHtml = () => htmlOf(node, context);
  switch (node.type.name) {
    case "horizontal_rule":
      return "---";
    case "paragraph":
      return isPlainText(node) ? inline(node, context) : asHtml();
    case "heading":
      return isPlainText(node) && !hasBreak(node)
        ? `${"#".repeat(Number(node.attrs.level))} ${inline(node, context).replace(/(#+)$/, "\\$1")}`
        : asHtml();
    case "embed":
      // A URL alone on a line is read back as a card.
      return node.attrs.title || node.attrs.text || node.attrs.author
        ? asHtml()
        : `<${String(node.attrs.href)}>`;
    case "formula_block":
      return mathOf(node, context);
    case "code_block": {
      // Other programs read this as a formula.
      if (node.attrs.language === "math") return asHtml();
      // Site generators recognize no fence within a list or a quotation.
      if ((context.isWithin ? changes : highlights).test(node.textContent)) return asHtml();
      const runs = [...node.textContent.matchAll(/`{3,}/g)].map(([run]) => run.length);
      const fence = "`".repeat(Math.max(2, ...runs) + 1);
      return `${fence}${(node.attrs.language as string | null) ?? ""}\n${node.textContent}\n${fence}`;
    }
    case "blockquote":
      return blocksOf(node, { ...context, isWithin: true })
        .replace(/^/gm, "> ")
        .replace(/^> $/gm, ">");
    case "callout":
      return `[!${String(node.attrs.kind).toUpperCase()}]\n${node.firstChild?.type.name === "paragraph" ? "" : "\n"}${blocksOf(node, { ...context, isWithin: true })}`
        .replace(/^/gm, "> ")
        .replace(/^> $/gm, ">");
    case "fold":
      return context.isWithin ? asHtml() : foldOf(node, context);
    case "footnotes":
      return node.children.map((note) => noteOf(note, context)).join("\n\n");
    case "bullet_list":
    case "ordered_list":
      return listOf(node, sign, context);
    case "table":
      return tableOf(node, context) ?? asHtml();
    default:
      return asHtml();
  }
}

/** Writes a formula between lines of `$$`, as most programs read it; else as GitHub's `math` fence or HTML. */
function mathOf(node: Node, context: MarkdownContext): string {
  const tex = node.textContent;
  if (changes.test(tex) || /^\s|\s$|^$/.test(tex) || (context.isWithin && /\n/.test(tex)))
    return htmlOf(node, context);
  if (!/\$|\n\s*\n|^\s/m.test(tex)) return `$$\n${tex}\n$$`;
  return /```|^~~~/m.test(tex) || context.isWithin ? htmlOf(node, context) : `\`\`\`math\n${tex}\n\`\`\``;
}

/** Writes the summary as HTML and the content as Markdown, as GitHub does. */
function foldOf(fold: Node, context: MarkdownContext): string {
  const [summary, ...rest] = fold.children;
  const alone = fold.type.create(null, [
    summary!,
    ...(fold.type.schema === schema ? [schema.nodes.paragraph.create()] : []),
  ]);
  const html = htmlOf(alone, context);
  const begin = html.slice(0, html.lastIndexOf("</summary>") + "</summary>".length);
  const inner = fold.copy(fold.content.cut(summary!.nodeSize));
  return rest.length > 0 ? `${begin}\n\n${blocksOf(inner, context)}\n\n</details>` : htmlOf(fold, context);
}

const noteOf = (note: Node, context: MarkdownContext): string =>
  `[^${String(note.attrs.note)}]: ${indented(blocksOf(note, { ...context, isWithin: true }), "    ")}`;

function listOf(list: Node, sign: string, context: MarkdownContext): string {
  // Only an empty line ends an HTML block.
  const isTight = list.children.every(
    ({ children: [first, ...rest] }) =>
      (rest.length === 0 || (first && isPlainText(first))) && rest.every(isListOfOne),
  );
  const items = list.children.map((item, at) => {
    const begin =
      list.type.name === "ordered_list"
        ? `${Number(list.attrs.order) + at}${sign === "-" ? "." : ")"} `
        : `${sign} `;
    return (
      begin +
      (item.type.name === "task_item" ? `[${item.attrs.checked ? "x" : " "}] ` : "") +
      indented(
        blocksOf(item, { ...context, isWithin: true }, isTight ? "\n" : "\n\n"),
        " ".repeat(begin.length),
      )
    );
  });
  return items.join(isTight ? "\n" : "\n\n");
}

/** Returns a table; null unless the first row is all headings and each cell is one line. */
function tableOf(table: Node, context: MarkdownContext): string | null {
  const [head] = table.children;
  const isPlainCell = (cell: Node, name: string) =>
    cell.type.name === name &&
    cell.attrs.colspan === 1 &&
    cell.attrs.rowspan === 1 &&
    cell.attrs.colwidth === null &&
    cell.childCount === 1 &&
    cell.firstChild?.type.name === "paragraph" &&
    isPlainBlock(cell.firstChild) &&
    !hasCollapsibleSpaces(cell.firstChild) &&
    !hasBreak(cell.firstChild);
  const isPlain = table.children.every(
    (row, at) =>
      row.childCount === head?.childCount &&
      row.children.every((cell) => isPlainCell(cell, at === 0 ? "table_header" : "table_cell")),
  );
  if (!isPlain || !head?.childCount) return null;
  const rows = table.children.map(
    ({ children }) =>
      `| ${children.map(({ firstChild }) => (firstChild ? inline(firstChild, context) : "")).join(" | ")} |`,
  );
  rows.splice(1, 0, `|${" --- |".repeat(head.childCount)}`);
  return rows.join("\n");
}

const hasBreak = (block: Node): boolean => block.children.some(({ type }) => type.name === "hard_break");

/** Whether there are spaces that Markdown would collapse. */
function hasCollapsibleSpaces(block: Node): boolean {
  const text = block.textBetween(0, block.content.size, null, (leaf) =>
    leaf.type.name === "hard_break" ? "\n" : "\ufffc",
  );
  return /^\s|\s$|[ \t\u2028\u2029]{2}|[\t\v\f\u0085]|\n\s|\s\n/.test(text);
}

function blocksOf(
  parent: Node,
  context: MarkdownContext,
  between = "\n\n",
  asHtml: ReadonlySet<number> = new Set(),
): string {
  const out: string[] = [];
  let sign = "-";
  parent.forEach((node, _offset, at) => {
    const isBesideLike = at > 0 && parent.child(at - 1).type === node.type;
    sign = isBesideLike && sign === "-" ? "*" : "-";
    out.push(asHtml.has(at) ? htmlOf(node, context) : blockOf(node, sign, context));
  });
  return out.join(between);
}

/** Writes one line of HTML, which ends with its line in any context. */
const htmlOf = (block: Node, { picture }: MarkdownContext): string =>
  escapeShortcodes(
    nodeToHtml(block.type.schema.topNodeType.create(null, block), {
      image: (src) => ({ src: picture(src) }),
    }),
  ).replaceAll("\n", "&#10;");

interface MarkdownContext {
  picture: (src: string) => string;
  isWithin?: boolean;
  /** A dollar may be read as a formula's delimiter. */
  hasDollars?: boolean;
}

export interface MarkdownExportOptions {
  /** A picture's path relative to the Markdown file. */
  picture?: (src: string) => string;
  /** Indexes of top-level blocks. */
  asHtml?: ReadonlySet<number>;
}

/**
 * Returns CommonMark with tables and strikethrough, and HTML for the rest. `server/imports/markdown/markdown.ts` reads it back.
 */
export const documentToMarkdown = (
  document: DocumentJson,
  { picture = (src) => src, asHtml }: MarkdownExportOptions = {},
): string => `${blocksOf(schema.nodeFromJSON(document), { picture }, "\n\n", asHtml)}\n`;
