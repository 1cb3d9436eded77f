import type { Node } from "prosemirror-model";
import { Plugin } from "prosemirror-state";
import type { Command } from "prosemirror-state";
import { EditorView } from "prosemirror-view";
import { schema } from "../../shared/document/schema.ts";
import { bubblePlugin } from "./menus/bubble.ts";
import type { Bubble } from "./menus/bubble.ts";
import { createState } from "./create-state.ts";
import { factsOf, sameFacts } from "./facts.ts";
import type { Facts } from "./facts.ts";
import { hintsPlugin } from "./hints.ts";
import { pastePlugin } from "./paste.ts";
import { PictureView } from "./pictures/picture-view.ts";
import { Pictures, picturesPlugin } from "./pictures/pictures.ts";
import type { PicturesUnderWay } from "./pictures/pictures.ts";
import { slashPlugin } from "./menus/slash.ts";
import type { Slash, SlashKeys } from "./menus/slash.ts";

/** What the editor asks the writer about, beside the text it is about. */
export type Question = { about: "link" } | { about: "alt"; pos: number; anchor: HTMLElement };

export interface EditorOptions {
  document: Node;
  /** Put on the text box: its id, label and notes. */
  attributes: Record<string, string>;
  invitation: string;
  onChange: (document: Node) => void;
  onPictures: (underWay: PicturesUnderWay) => void;
  onQuestion: (question: Question) => void;
  onSlash: (slash: Slash | null) => void;
  onBubble: (bubble: Bubble | null) => void;
  /** The writer wants to go to the toolbar. */
  onToolbar: () => void;
  say: (message: string) => void;
}

/** The editor as the toolbar and the form see it. */
export class Editor {
  readonly view: EditorView;
  readonly pictures: Pictures;
  readonly ask: (question: Question) => void;
  /** Set by the slash menu while it is shown. */
  slashKeys: SlashKeys | null = null;
  #facts: Facts;
  readonly #listeners = new Set<() => void>();

  constructor(mount: HTMLElement, options: EditorOptions) {
    const { onChange } = options;
    this.ask = options.onQuestion;
    const state = createState(options.document, {
      keys: {
        "Mod-k": this.#askLink,
        "Alt-F10": () => {
          options.onToolbar();
          return true;
        },
      },
      plugins: [
        slashPlugin(options.onSlash, () => this.slashKeys),
        bubblePlugin(options.onBubble),
        hintsPlugin(options.invitation),
        picturesPlugin(),
        pastePlugin(() => this.pictures, options.say),
        new Plugin({
          view: () => ({
            update: (view, before) => {
              if (view.state.doc !== before.doc) onChange(view.state.doc);
              this.#refresh();
            },
          }),
        }),
      ],
    });
    this.#facts = factsOf(state);
    this.view = new EditorView(
      { mount },
      {
        state,
        attributes: options.attributes,
        nodeViews: {
          image: (node, view, getPos) =>
            new PictureView(node, view, getPos, (pos, anchor) => this.ask({ about: "alt", pos, anchor })),
        },
        // The bars at the top and, on phones, above the keyboard hide nothing that is being written.
        scrollThreshold: { top: 160, bottom: 96, left: 0, right: 0 },
        scrollMargin: { top: 176, bottom: 112, left: 0, right: 0 },
        handleClick(view, pos, event) {
          const href = schema.marks.link.isInSet(view.state.doc.resolve(pos).marks())?.attrs.href as
            | string
            | undefined;
          if (!href || !(event.ctrlKey || event.metaKey)) return false;
          window.open(href, "_blank", "noopener");
          return true;
        },
      },
    );
    this.pictures = new Pictures(this.view, options.onPictures, options.say);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly facts = (): Facts => this.#facts;

  /** Runs a command and goes back to the text. */
  readonly run = (command: Command): boolean => {
    const done = command(this.view.state, this.view.dispatch, this.view);
    this.view.focus();
    return done;
  };

  destroy(): void {
    this.pictures.destroy();
    this.view.destroy();
  }

  readonly #askLink: Command = () => {
    if (!this.#facts.canMark) return false;
    this.ask({ about: "link" });
    return true;
  };

  #refresh(): void {
    const facts = factsOf(this.view.state);
    if (sameFacts(facts, this.#facts)) return;
    this.#facts = facts;
    for (const listener of this.#listeners) listener();
  }
}
