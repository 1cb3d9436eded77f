import type { Mark, Node } from "prosemirror-model";
import type { BlockNode, MarkdownWriter } from "./block.ts";
import {
  changedByGenerators,
  escaped,
  escapeLineStart,
  escapeShortcodes,
  withoutFormulas,
} from "./markdown-signs.ts";
import { schema, type DocumentJson } from "./schema.ts";
import { markTags, nodeToHtml } from "./to-html.ts";

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
  { picture = (src) => src, asHtml = new Set() }: MarkdownExportOptions = {},
): string => `${new Writer(picture).blocks(schema.nodeFromJSON(document), "\n\n", asHtml)}\n`;

class Writer implements MarkdownWriter {
  readonly picture: (src: string) => string;
  readonly isWithin: boolean;
  bullet: "-" | "*" = "-";

  constructor(picture: (src: string) => string, isWithin = false) {
    this.picture = picture;
    this.isWithin = isWithin;
  }

  within(): MarkdownWriter {
    return new Writer(this.picture, true);
  }

  blocks(parent: Node, between = "\n\n", asHtml: ReadonlySet<number> = new Set()): string {
    const writer = new Writer(this.picture, this.isWithin);
    const out = parent.children.map((node, at) => {
      const isBesideLike = at > 0 && parent.child(at - 1).type === node.type;
      writer.bullet = isBesideLike && writer.bullet === "-" ? "*" : "-";
      const markdown = asHtml.has(at) ? null : markdownOf(node, writer);
      return markdown ?? this.html(node);
    });
    return out.join(between);
  }

  line(parent: Node): string {
    const hasDollars = mayHaveFormulas(parent);
    const out: string[] = [];
    const open: { mark: Mark; close: string }[] = [];
    for (const [index, node] of parent.children.entries()) {
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
      if (coded) out.push(codeOf(node.text ?? ""));
      else if (node.isText) {
        const text = escaped(node.text ?? "");
        out.push(hasDollars ? withoutFormulas(text) : text);
      } else out.push(markdownOf(node, this, parent, index) ?? "");
    }
    while (open.length > 0) out.push(open.pop()?.close ?? "");
    return out.join("").split("\n").map(escapeLineStart).join("\n");
  }

  /** Ends with its line in any place. */
  html(block: Node): string {
    const html = nodeToHtml(block.type.schema.topNodeType.create(null, block), {
      image: (src) => ({ src: this.picture(src) }),
    });
    return escapeShortcodes(html).replaceAll("\n", "&#10;");
  }
}

const markdownOf = (node: Node, out: MarkdownWriter, parent?: Node, index = 0): string | null =>
  (node.type.spec as BlockNode).markdown?.(node, out, {
    before: parent?.maybeChild(index - 1) ?? null,
    behind: parent?.maybeChild(index + 1) ?? null,
  }) ?? null;

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

/** Returns the index up to which children continue these outermost marks. */
function endOf(parent: Node, from: number, marks: readonly Mark[]): number {
  let to = from + 1;
  while (to < parent.childCount && marks.every((mark, at) => parent.child(to).marks[at]?.eq(mark))) to++;
  return to;
}

const canBeCode = (text: string): boolean =>
  text.trim() !== "" && !/\s{2}|^\s|\s$|[\n\t|]/.test(text) && !changedByGenerators.test(text);

function codeOf(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const space = /^`|`$/.test(text) ? " " : "";
  return fence + space + text + space + fence;
}
