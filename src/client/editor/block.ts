import type { DOMOutputSpec, Node } from "prosemirror-model";
import type { InputRule } from "prosemirror-inputrules";
import type { Command, EditorState, Plugin } from "prosemirror-state";
import type { NodeViewConstructor } from "prosemirror-view";
import type { EditorOptions, Question } from "./create-editor.ts";
import type { SelectionState } from "./selection-state.ts";

/** The editor's part of a block; `blocks.ts` lists all of them. The document's part is in `shared/document/blocks`. */
export interface EditorBlock {
  /** Commands by key, in prosemirror-keymap's notation. The first that applies handles the key. */
  keys?: Record<string, Command>;
  /** Those that come before a selection is deleted, and before Enter makes a link of a typed address. */
  earlyKeys?: Record<string, Command>;
  /** What is typed to make it. `Backspace` right after a rule undoes it. */
  rules?: readonly InputRule[];
  /** Its entries in the menu that a slash opens. */
  items?: readonly SlashItem[];
  plugins?: () => Plugin[];
  /** Plugins that need the page. */
  pagePlugins?: (options: EditorOptions) => Plugin[];
  /** How its nodes are drawn, where `toDOM` is not enough. */
  views?: (options: EditorOptions, ask: (question: Question) => void) => Record<string, NodeViewConstructor>;
  /** How its nodes are copied, where other programs need more than `toDOM`. */
  copied?: Record<string, (node: Node) => DOMOutputSpec>;
}

/** A button of the toolbar. */
export interface Tool {
  name: string;
  /** A drawing in 24 x 24 units. */
  icon: string;
  /** In prosemirror-keymap's notation; bound by its block or in keys.ts. */
  keys?: string;
  command: Command;
  /** Missing for a button without a state. */
  pressed?: (facts: SelectionState) => boolean;
  disabled?: (facts: SelectionState) => boolean;
}

/** A block that the menu inserts. */
export interface SlashItem {
  name: string;
  /** Other search words. */
  keywords: string;
  /** A drawing in 24 x 24 units. */
  icon: string;
  /** Absent for pictures, which are chosen first. */
  command?: Command;
  /** Whether it is not offered although the command applies. */
  isHidden?: (state: EditorState) => boolean;
}
