import { Fragment, Slice } from "prosemirror-model";
import type { Mark, Node } from "prosemirror-model";
import { schema } from "../../shared/document/schema.ts";

/** Styles of a cell that a text can have. */
const usable =
  /^\s*(?:font-weight\s*:\s*(?:[6-9]00|bold)|font-style\s*:\s*italic|text-decoration\s*:\s*(?:underline|line-through)|text-align\s*:\s*(?:center|right))/i;

/** Gives Excel's cells and words the styles of their class, before its style sheet is removed. */
export function withCellStyles(html: string): string {
  if (!/<meta[^>]{0,80}Excel\.Sheet/i.test(html)) return html;
  const styles = new Map<string, string>();
  for (const [, name, rules] of html.matchAll(/\.((?:xl|font)\d{1,4})\s*\{([^}]{0,2000})\}/g)) {
    const style = rules!
      .split(";")
      .filter((rule) => usable.test(rule))
      .map((rule) => rule.trim())
      .join(";");
    if (style) styles.set(name!, style);
  }
  if (styles.size === 0) return html;
  return html.replace(/<(?:td|font|span)\s[^<>]{0,2000}>/gi, (tag) => {
    const name = /\sclass=["']?((?:xl|font)\d{1,4})(?![\w-])/i.exec(tag)?.[1];
    const style = name && styles.get(name);
    if (!style) return tag;
    return /\sstyle=["']/i.test(tag)
      ? tag.replace(/(\sstyle=["'])/i, `$1${style};`)
      : tag.replace(/\s/, ` style="${style}" `);
  });
}

const { background, color, link, underline } = schema.marks;

/** Red, green and blue (0 to 1) of `#rrggbb`. */
const rgbOf = (ink: string) =>
  [1, 3, 5].map((at) => Number.parseInt(ink.slice(at, at + 2), 16) / 255) as [number, number, number];

/** Whether a colour is just the source's ink or paper, unreadable in dark mode. */
function isDefaultColor(mark: Mark): boolean {
  if (mark.type !== color && mark.type !== background) return false;
  const channels = rgbOf(String(mark.attrs.color));
  const [least, most] = [Math.min(...channels), Math.max(...channels)];
  const light = (most + least) / 2;
  return most - least < 0.12 || light < 0.14 || (mark.type === background && light > 0.96);
}

/** Whether a mark is a usual style of links: underlined, blue or violet. */
function isLinkStyle(mark: Mark): boolean {
  if (mark.type === underline) return true;
  if (mark.type !== color) return false;
  const [red, green, blue] = rgbOf(String(mark.attrs.color));
  return blue > green && blue > red * 0.7;
}

const cleanMarks = (marks: readonly Mark[]): readonly Mark[] =>
  marks.filter((mark) => !isDefaultColor(mark) && !(link.isInSet(marks) && isLinkStyle(mark)));

const cleanNodes = (nodes: Fragment): Fragment =>
  Fragment.fromArray(
    nodes.content.map((node: Node) =>
      node.isText ? node.mark(cleanMarks(node.marks)) : node.copy(cleanNodes(node.content)),
    ),
  );

/** Removes the source program's text and background colours and its style of links. */
export const withoutSourceColors = (slice: Slice): Slice =>
  new Slice(cleanNodes(slice.content), slice.openStart, slice.openEnd);
