import type { Node, Slice } from "prosemirror-model";
import { EditorState, TextSelection } from "prosemirror-state";
import type { Command } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { CellSelection } from "prosemirror-tables";
import { expect } from "vitest";
import { createState } from "../../../../src/client/editor/create-state.ts";
import { schema } from "../../../../src/shared/document/schema.ts";
import type { NodeJson } from "../../../../src/shared/document/schema.ts";

const { nodes } = schema;
type Content = (Node | string)[];
const inline = (content: Content) =>
  content.map((part) => (typeof part === "string" ? schema.text(part) : part));

export const doc = (...blocks: Node[]) => nodes.doc.create(null, blocks);
export const p = (...content: Content) => nodes.paragraph.create(null, inline(content));
export const h = (level: number, ...content: Content) => nodes.heading.create({ level }, inline(content));
export const ul = (...items: Node[]) => nodes.bullet_list.create(null, items);
export const ol = (...items: Node[]) => nodes.ordered_list.create(null, items);
export const li = (...blocks: Node[]) => nodes.list_item.create(null, blocks);
export const quote = (...blocks: Node[]) => nodes.blockquote.create(null, blocks);
export const pre = (text: string, language: string | null = null) =>
  nodes.code_block.create({ language }, text ? schema.text(text) : null);
export const img = (src = "/media/one/full.webp") => nodes.image.create({ src });
export const fig = (caption = "", size = "text", src = "/media/one/full.webp") =>
  nodes.figure.create({ size }, [
    nodes.figure_image.create({ src }),
    nodes.figure_caption.create(null, caption ? schema.text(caption) : null),
  ]);
export const pair = (one: Node, other: Node, size = "text") =>
  nodes.figure_pair.create({ size }, [one, other]);
export const marked = (text: string, ...marks: string[]) =>
  schema.text(
    text,
    marks.map((name) => schema.marks[name as "em"].create()),
  );

/** Types, presses keys and runs commands in an editor without a browser. `|` marks the cursor in the text. */
export class EditorDriver {
  state: EditorState;

  /** `language` is that of the typography; without one, signs stay as typed. */
  constructor(document: Node, language: string | null = null) {
    this.state = createState(document, { language: () => language });
    this.placeCursor("|");
  }

  /** Puts the cursor at the `|` of a text like `one t|wo`, or selects from one `|` to the other; "|" alone is the start. */
  placeCursor(mark: string): this {
    const plainText = mark.replaceAll("|", "");
    const positions: number[] = [];
    this.state.doc.descendants((node, pos) => {
      if (positions.length > 0 || !node.isTextblock) return;
      const found = node.textContent.indexOf(plainText);
      if (found < 0) return;
      const first = mark.indexOf("|");
      const second = mark.indexOf("|", first + 1);
      positions.push(pos + 1 + found + first, ...(second > 0 ? [pos + 1 + found + second - 1] : []));
    });
    return this.select(positions[0]!, positions[1]);
  }

  select(from: number, to = from): this {
    this.state = this.state.apply(this.state.tr.setSelection(TextSelection.create(this.state.doc, from, to)));
    return this;
  }

  selectAll(): this {
    return this.select(TextSelection.atStart(this.state.doc).from, TextSelection.atEnd(this.state.doc).to);
  }

  run(command: Command): boolean {
    return command(this.state, this.#view.dispatch, this.#view);
  }

  type(text: string): this {
    for (const character of text) {
      if (character === "\n") {
        this.press("Enter");
        continue;
      }
      const { from, to } = this.state.selection;
      const isHandled = this.state.plugins.some((plugin) =>
        plugin.props.handleTextInput?.call(plugin, this.#view, from, to, character, () =>
          this.state.tr.insertText(character, from, to),
        ),
      );
      if (!isHandled) this.state = this.state.apply(this.state.tr.insertText(character, from, to));
    }
    return this;
  }

  press(key: string, modifiers: { ctrlKey?: boolean; shiftKey?: boolean } = {}): boolean {
    const event = {
      key,
      keyCode: 0,
      ctrlKey: false,
      shiftKey: false,
      altKey: false,
      metaKey: false,
      ...modifiers,
      preventDefault() {},
    } as unknown as KeyboardEvent;
    return this.state.plugins.some((plugin) => plugin.props.handleKeyDown?.call(plugin, this.#view, event));
  }

  paste(slice: Slice): this {
    const isHandled = this.state.plugins.some((plugin) =>
      plugin.props.handlePaste?.call(plugin, this.#view, {} as ClipboardEvent, slice),
    );
    if (!isHandled) this.state = this.state.apply(this.state.tr.replaceSelection(slice));
    return this;
  }

  /** Selects from the cell with one text to that with another. */
  selectCells(first: string, last: string): this {
    const posOf = (text: string): number => {
      let found = -1;
      this.state.doc.descendants((node, pos) => {
        if (node.type.spec.tableRole?.toString().endsWith("cell") && node.textContent === text) found = pos;
      });
      return found;
    };
    const selection = CellSelection.create(this.state.doc, posOf(first), posOf(last));
    this.state = this.state.apply(this.state.tr.setSelection(selection));
    return this;
  }

  get json(): NodeJson {
    return this.state.doc.toJSON() as NodeJson;
  }

  get text(): string {
    return this.state.doc.toString();
  }

  readonly #view = (() => {
    const writer = (): this => this;
    return {
      get state() {
        return writer().state;
      },
      composing: false,
      endOfTextblock: () => true,
      someProp: <T>(name: "handleTextInput", call: (handle: unknown) => T): T | undefined => {
        for (const plugin of this.state.plugins) {
          const handle = plugin.props[name]?.bind(plugin);
          const result = handle && call(handle);
          if (result) return result;
        }
        return undefined;
      },
      dispatch: (tr: Parameters<EditorView["dispatch"]>[0]) => {
        this.state = this.state.apply(tr);
      },
    } as unknown as EditorView;
  })();
}

/** Checks that the text has just these blocks. */
export const expectBlocks = (writer: { text: string }, ...blocks: Parameters<typeof doc>): void =>
  expect(writer.text).toBe(doc(...blocks).toString());
