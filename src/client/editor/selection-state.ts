import { redoDepth, undoDepth } from "prosemirror-history";
import type { MarkType } from "prosemirror-model";
import type { EditorState } from "prosemirror-state";
import type { FigureSize } from "../../shared/document/blocks/picture.ts";
import type { Align } from "../../shared/document/text-blocks.ts";
import { documentLimits } from "../../shared/document/limits.ts";
import { schema } from "../../shared/document/schema.ts";
import type { Level } from "./blocks/heading.ts";
import { figureAt, figureLink, lonePicture, nextPairable } from "./blocks/figure-commands.ts";
import { isHeaderRow } from "./blocks/table-rows.ts";
import { ancestor, textblocks } from "./commands.ts";
import { linkAt } from "./links.ts";

const { nodes, marks } = schema;

export type ToggledMark = "strong" | "em" | "underline" | "strike" | "code" | "sub" | "sup";

/** The state of the selection. Flat, to be compared by value. */
export interface SelectionState extends Record<ToggledMark, boolean> {
  /** 0 for a paragraph, 1 to 6 for headings; null for code or a mixture. */
  heading: Level | null;
  font: string | null;
  size: string | null;
  color: string | null;
  background: string | null;
  align: Align | null;
  bulletList: boolean;
  orderedList: boolean;
  taskList: boolean;
  blockquote: boolean;
  codeBlock: boolean;
  codeBlockPos: number | null;
  /** Of the code block with the selection. */
  language: string | null;
  link: string | null;
  /** The address of the link that the caret is in or after; null with a selection. */
  caretLink: string | null;
  tablePos: number | null;
  /** Of the table with the selection. */
  hasHeaderRow: boolean;
  /** False in code, where text has no marks. */
  canMark: boolean;
  canIndent: boolean;
  canOutdent: boolean;
  canUndo: boolean;
  canRedo: boolean;
  /** Position of the selected picture. */
  picture: number | null;
  /** Of its figure, or of the block that can become one. */
  figure: number | null;
  figureSize: FigureSize | null;
  /** The address that its picture is a link to. */
  figureLink: string | null;
  /** The figure is in a pair, or can be paired with the next. */
  isPaired: boolean;
  canPair: boolean;
}

/** Returns the value that all selected text has in this mark (`true` without `attr`), else undefined. */
function valueOf(state: EditorState, type: MarkType, attr?: string): unknown {
  const { empty, $from, ranges } = state.selection;
  const read = (set: readonly import("prosemirror-model").Mark[]) => {
    const mark = type.isInSet(set);
    return mark ? (attr ? mark.attrs[attr] : true) : undefined;
  };
  if (empty) return read(state.storedMarks ?? $from.marks());
  let value: unknown;
  let hasValue = false;
  for (const range of ranges) {
    state.doc.nodesBetween(range.$from.pos, range.$to.pos, (node) => {
      if (!node.isText) return;
      const here = read(node.marks);
      value = hasValue && value !== here ? undefined : here;
      hasValue = true;
    });
  }
  return value;
}

function hasMark(state: EditorState, type: MarkType): boolean {
  return valueOf(state, type) === true;
}

export const canMark = (blocks: ReturnType<typeof textblocks>): boolean =>
  blocks.some(({ node }) => node.type.allowsMarkType(marks.strong));

export function factsOf(state: EditorState): SelectionState {
  const blocks = textblocks(state);
  const first = blocks[0]?.node;
  const levels = new Set(
    blocks.map(({ node }) =>
      node.type === nodes.heading ? Number(node.attrs.level) : node.type === nodes.paragraph ? 0 : null,
    ),
  );
  const level = levels.size === 1 ? ([...levels][0] as SelectionState["heading"]) : null;
  const list = ancestor(state, nodes.bullet_list, nodes.ordered_list);
  const task =
    list !== null && ancestor(state, nodes.list_item, nodes.task_item)?.node.type === nodes.task_item;
  const code = ancestor(state, nodes.code_block);
  const indentable = blocks.filter(({ node }) => "indent" in node.attrs);
  const link = linkAt(state);
  const href = (link?.mark.attrs.href as string | undefined) ?? null;
  const table = ancestor(state, nodes.table);
  const text = (type: MarkType, attr: string) => (valueOf(state, type, attr) as string | undefined) ?? null;
  return {
    heading: level,
    font: text(marks.font, "family"),
    size: text(marks.size, "size"),
    color: text(marks.color, "color"),
    background: text(marks.background, "color"),
    strong: hasMark(state, marks.strong),
    em: hasMark(state, marks.em),
    underline: hasMark(state, marks.underline),
    strike: hasMark(state, marks.strike),
    code: hasMark(state, marks.code),
    sub: hasMark(state, marks.sub),
    sup: hasMark(state, marks.sup),
    align: (first?.attrs.align as Align | null | undefined) ?? null,
    bulletList: list?.node.type === nodes.bullet_list && !task,
    taskList: task,
    orderedList: list?.node.type === nodes.ordered_list,
    blockquote: ancestor(state, nodes.blockquote) !== null,
    codeBlock: code !== null,
    codeBlockPos: code?.pos ?? null,
    language: (code?.node.attrs.language as string | null | undefined) ?? null,
    link: href,
    caretLink: link && state.selection.empty && state.selection.from > link.from ? href : null,
    tablePos: table?.pos ?? null,
    hasHeaderRow: table !== null && isHeaderRow(table.node.firstChild),
    canMark: canMark(blocks),
    canIndent: list ? true : indentable.some(({ node }) => node.attrs.indent < documentLimits.indent),
    canOutdent: list ? true : indentable.some(({ node }) => node.attrs.indent > 0),
    canUndo: undoDepth(state) > 0,
    canRedo: redoDepth(state) > 0,
    ...figureFacts(state),
  };
}

function figureFacts(
  state: EditorState,
): Pick<SelectionState, "picture" | "figure" | "figureSize" | "figureLink" | "isPaired" | "canPair"> {
  const figure = figureAt(state);
  if (figure)
    return {
      picture: figure.pos + 1,
      figure: figure.pos,
      figureSize: (figure.pair ?? figure).node.attrs.size as FigureSize,
      figureLink: figureLink(figure.node),
      isPaired: figure.pair !== null,
      canPair: nextPairable(state) !== null,
    };
  const lone = lonePicture(state);
  return {
    picture: lone && lone.pos + 1,
    figure: lone && lone.pos,
    figureSize: lone && "text",
    figureLink: lone && figureLink(lone.node),
    isPaired: false,
    canPair: false,
  };
}

export function sameFacts(one: SelectionState, other: SelectionState): boolean {
  return (Object.keys(one) as (keyof SelectionState)[]).every((key) => one[key] === other[key]);
}
