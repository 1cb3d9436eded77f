import { chainCommands, newlineInCode, setBlockType } from "prosemirror-commands";
import { InputRule } from "prosemirror-inputrules";
import type { NodeRange, NodeType, ResolvedPos, Node } from "prosemirror-model";
import { TextSelection } from "prosemirror-state";
import type { Command, EditorState, Transaction } from "prosemirror-state";
import { schema } from "../../../shared/document/schema.ts";
import { fullLanguage } from "../../../shared/document/code-languages.ts";
import { codeLanguage } from "../../../shared/document/values.ts";
import type { EditorBlock, Tool } from "../block.ts";
import { ancestor, inEachCell, textblocks } from "../commands.ts";

/** Returns the language typed after three backticks. */
export const typedLanguage = (text: string | undefined): string | null =>
  codeLanguage(text === undefined ? text : fullLanguage(text));

const { nodes } = schema;

/**
 * Makes code of a paragraph, whose fence `tr` has deleted; null where code cannot be. A list item begins with a paragraph: its
 * code is below an empty one.
 */
function codeInstead(tr: Transaction, $from: ResolvedPos, language: string | null): Transaction | null {
  const [outer, index] = [$from.node(-1), $from.index(-1)];
  let start = $from.start();
  if (!outer.canReplaceWith(index, index + 1, nodes.code_block)) {
    if (!outer.canReplaceWith(index + 1, index + 1, nodes.code_block)) return null;
    tr.split(start);
    start += 2;
  }
  tr.setBlockType(start, undefined, nodes.code_block, { language });
  const after = start + tr.doc.nodeAt(start - 1)!.nodeSize - 1;
  tr.insert(after, pictureParagraphs($from.parent, 0, $from.parent.content.size));
  return tr.setSelection(TextSelection.create(tr.doc, start));
}

/** Enter after ```` ```js ```` starts a code block. */
const openCode: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  const match = /^```([a-zA-Z0-9+#._-]*)$/.exec($from.parent.textContent);
  if (!empty || !match || $from.parent.type !== nodes.paragraph || $from.pos !== $from.end()) return false;
  const tr = codeInstead(state.tr.delete($from.start(), $from.end()), $from, typedLanguage(match[1]));
  if (tr) dispatch?.(tr.scrollIntoView());
  return tr !== null;
};

/** Backspace at the start of a block enters the code above it, which does not get its text. */
const enterCodeAbove: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  // An empty block is deleted.
  if (!empty || $from.parentOffset > 0 || $from.parent.content.size === 0 || $from.depth === 0) return false;
  const before = state.doc.resolve($from.before());
  if (!before.nodeBefore?.type.spec.code) return false;
  dispatch?.(state.tr.setSelection(TextSelection.create(state.doc, before.pos - 1)).scrollIntoView());
  return true;
};

/** Enter after two empty lines at the end of a code block leaves it. */
const leaveCode: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  if (
    !empty ||
    $from.parent.type !== nodes.code_block ||
    $from.pos !== $from.end() ||
    !$from.parent.textContent.endsWith("\n\n")
  )
    return false;
  const tr = state.tr.delete($from.pos - 2, $from.pos);
  const after = tr.mapping.map($from.after());
  tr.insert(after, nodes.paragraph.create());
  dispatch?.(tr.setSelection(TextSelection.create(tr.doc, after + 1)).scrollIntoView());
  return true;
};

/** Returns where the selected lines start, last first. */
function codeLines({ selection: { $from, $to } }: EditorState): number[] {
  const text = $from.parent.textContent;
  const to = $from.sameParent($to) ? $to.parentOffset : text.length;
  const lines = [text.slice(0, $from.parentOffset).lastIndexOf("\n") + 1];
  for (let end = text.indexOf("\n", lines[0]); end !== -1 && end + 1 < to;) {
    lines.unshift(end + 1);
    end = text.indexOf("\n", end + 1);
  }
  return lines.map((line) => $from.start() + line);
}

/** Never replaces the selection, but indents each of its lines. */
const indentCode: Command = (state, dispatch) => {
  const tr = state.tr;
  for (const at of state.selection.empty ? [state.selection.from] : codeLines(state)) tr.insertText("  ", at);
  dispatch?.(tr.scrollIntoView());
  return true;
};

/** Also handles the key in lines that are not indented: it would leave the text. */
const outdentCode: Command = (state, dispatch) => {
  const { parent } = state.selection.$from;
  const tr = state.tr;
  for (const at of codeLines(state)) {
    const text = parent.textContent.slice(at - state.selection.$from.start());
    const spaces = /^ {1,2}/.exec(text)?.[0].length ?? 0;
    if (spaces > 0) tr.delete(at, at + spaces);
  }
  if (tr.docChanged) dispatch?.(tr.scrollIntoView());
  return true;
};

const rule = new InputRule(/^```([a-zA-Z0-9+#._-]*)\s$/, (state, match, start, end) => {
  const $start = state.doc.resolve(start);
  return $start.parent.type === nodes.paragraph || $start.parent.type === nodes.heading
    ? codeInstead(state.tr.delete(start, end), $start, typedLanguage(match[1]))
    : null;
});

function containsType({ $from, start, end }: NodeRange, type: NodeType): boolean {
  let isFound = false;
  $from.doc.nodesBetween(start, end, (node) => !(isFound ||= node.type === type));
  return isFound;
}

/**
 * Turns blocks into one code block, formulas as their source, and code into a paragraph for each line. Figures and cards cannot
 * be code: they stay, and the blocks around them are turned one by one. Pictures in a line go below the code.
 */
export const toggleCodeBlock: Command = inEachCell(
  (state, dispatch) => {
    const { $from, $to } = state.selection;
    const code = ancestor(state, nodes.code_block);
    if (code) return setBlockType(nodes.paragraph)(state, dispatch);
    const range = $from.blockRange($to);
    const isOne =
      range && range.endIndex - range.startIndex === 1 && range.parent.child(range.startIndex).isTextblock;
    if (
      !range ||
      (isOne && !containsType(range, nodes.formula)) ||
      containsType(range, nodes.figure) ||
      containsType(range, nodes.embed)
    ) {
      const blocks = textblocks(state);
      return setBlockType(nodes.code_block)(state, dispatch && ((tr) => dispatch(keepPictures(tr, blocks))));
    }
    const text = state.doc.textBetween(range.start, range.end, "\n", (leaf) =>
      leaf.type === nodes.hard_break ? "\n" : (leaf.type.spec.leafText?.(leaf) ?? ""),
    );
    const block = nodes.code_block.create(null, text ? schema.text(text) : null);
    if (!range.parent.canReplaceWith(range.startIndex, range.endIndex, nodes.code_block)) return false;
    const tr = state.tr.replaceRangeWith(range.start, range.end, block);
    tr.insert(range.start + block.nodeSize, pictureParagraphs(state.doc, range.start, range.end));
    dispatch?.(
      tr.setSelection(TextSelection.near(tr.doc.resolve(range.start + 1 + text.length), -1)).scrollIntoView(),
    );
    return true;
  },
  (state) => ancestor(state, nodes.code_block) !== null,
);

export function setCodeLanguage(language: string | null): Command {
  return (state, dispatch) => {
    const code = ancestor(state, nodes.code_block);
    if (!code) return false;
    dispatch?.(state.tr.setNodeMarkup(code.pos, null, { ...code.node.attrs, language }));
    return true;
  };
}

export const codeTool: Tool = {
  name: "Code block",
  icon: "M4 5h16v14H4zM9 9.5 6.8 12 9 14.5M15 9.5l2.2 2.5L15 14.5M12.8 9l-1.6 6",
  keys: "Mod-Alt-c",
  command: toggleCodeBlock,
  pressed: (facts) => facts.codeBlock,
};

/** Also of formulas. */
const inCode =
  (command: Command): Command =>
  (state, dispatch) =>
    state.selection.$from.parent.type.spec.code === true && command(state, dispatch);

/** Returns the pictures between two positions, each in a paragraph. */
function pictureParagraphs(doc: Node, from: number, to: number): Node[] {
  const found: Node[] = [];
  doc.nodesBetween(from, to, (node) => {
    if (node.type === nodes.image) found.push(nodes.paragraph.create(null, node));
  });
  return found;
}

/** Inserts the pictures of blocks that `tr` turned into code after that code, which cannot contain them. */
function keepPictures(tr: Transaction, blocks: readonly { node: Node; pos: number }[]): Transaction {
  for (const { node, pos } of blocks.toReversed()) {
    const pictures = pictureParagraphs(node, 0, node.content.size);
    const at = tr.mapping.map(pos, -1);
    const code = tr.doc.nodeAt(at);
    if (pictures.length > 0 && code?.type === nodes.code_block) tr.insert(at + code.nodeSize, pictures);
  }
  return tr;
}

export const codeBlock: EditorBlock = {
  keys: {
    "Mod-Alt-c": toggleCodeBlock,
    Enter: chainCommands(openCode, leaveCode, newlineInCode),
    Backspace: enterCodeAbove,
    Tab: inCode(indentCode),
    "Shift-Tab": inCode(outdentCode),
  },
  rules: [rule],
  items: [{ ...codeTool, keywords: "pre program" }],
};
