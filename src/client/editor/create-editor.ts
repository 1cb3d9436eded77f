import type { Node } from "prosemirror-model";
import { NodeSelection, Plugin } from "prosemirror-state";
import type { Command } from "prosemirror-state";
import { EditorView } from "prosemirror-view";
import type { NodeViewConstructor } from "prosemirror-view";
import { documentParser } from "../../shared/document/parser.ts";
import type { NodeView } from "prosemirror-view";
import { schema } from "../../shared/document/schema.ts";
import type { Caret } from "../../shared/writing.ts";
import { caretsPlugin } from "./carets/carets.ts";
import { bubblePlugin } from "./menus/bubble.ts";
import type { Bubble } from "./menus/bubble.ts";
import { emptyLinePlugin } from "./menus/empty-line.ts";
import type { EmptyLine } from "./menus/empty-line.ts";
import { element } from "./element.ts";
import { createState } from "./create-state.ts";
import { EmbedView, embedsPlugin } from "./embeds.ts";
import type { LookUp, ShowBlog } from "./embeds.ts";
import { factsOf, sameFacts } from "./facts.ts";
import type { Facts } from "./facts.ts";
import { atBeginning } from "./beginning.ts";
import { toFigureBar } from "./figures/figure-bar.tsx";
import { FigureView } from "./figures/figure-view.ts";
import { FormulaBlockView, FormulaView } from "./formula-view.ts";
import { hintsPlugin } from "./hints.ts";
import { longBlocks } from "./long-blocks.ts";
import { pasteMarkdownPlugin } from "./paste-markdown.ts";
import { pastePlugin } from "./paste.ts";
import { PictureView } from "./pictures/picture-view.ts";
import { Pictures, picturesPlugin } from "./pictures/pictures.ts";
import type { PicturesUnderWay } from "./pictures/pictures.ts";
import { selectionIsRead } from "./read-selection.ts";
import { together } from "./sync/text.ts";
import { slashPlugin } from "./menus/slash.ts";
import type { Slash, SlashKeys } from "./menus/slash.ts";
import { TaskView } from "./task-view.ts";
import { ExternalStore } from "../ui/external-store.ts";

function standIn(name: string): NodeView {
  const dom = element("div", { class: name });
  return { dom, contentDOM: dom };
}

/** What the editor asks the writer about, beside the text it is about. */
export type Question = { about: "link" } | { about: "alt"; pos: number; anchor: HTMLElement };

/** Tells the writer something; with an action what they may do about it, without it what went wrong. */
export type Say = (message: string, action?: { label: string; run: () => void }) => void;

export interface EditorOptions {
  document: Node;
  /** By which its steps are known among those of others, and the commit that the document is. */
  client: string;
  seq: number;
  /** Tells those who write here, too, where the caret is. False where it did not arrive. */
  onCaret: (caret: Caret) => Promise<boolean>;
  /** Put on the text box: its id, label and notes. */
  attributes: Record<string, string>;
  /** The language that is written, by which signs are set as they are typed; null: they stay as they are. */
  language: () => string | null;
  /** The site's, of whose blogs it has cards. */
  origin: string;
  /** What an address leads to, of which the text has a card. */
  look: LookUp;
  showBlog: ShowBlog;
  /** What an empty text shows, and below it. */
  invitation: string;
  hint: string;
  onChange: (document: Node) => void;
  onPictures: (underWay: PicturesUnderWay) => void;
  onQuestion: (question: Question) => void;
  onSlash: (slash: Slash | null) => void;
  /** An empty line has the caret. */
  onLine: (line: EmptyLine | null) => void;
  onBubble: (bubble: Bubble | null) => void;
  /** The writer goes back over the beginning of the text. */
  onLeave: () => void;
  /** The writer wants to go to the toolbar. */
  onToolbar: () => void;
  say: Say;
}

/** The editor as the toolbar and the form see it. */
export class Editor {
  readonly view: EditorView;
  readonly pictures: Pictures;
  readonly ask: (question: Question) => void;
  /** Set by the slash menu while it is shown. */
  slashKeys: SlashKeys | null = null;
  readonly facts: ExternalStore<Facts>;

  constructor(mount: HTMLElement, options: EditorOptions) {
    const { onChange } = options;
    this.ask = options.onQuestion;
    const state = createState(options.document, {
      language: options.language,
      keys: {
        "Mod-k": this.#askLink,
        Tab: () => this.facts.get().figure !== null && toFigureBar(),
        Enter: this.#askAlt,
        "Alt-F10": () => {
          options.onToolbar();
          return true;
        },
        ...atBeginning(options.onLeave),
      },
      plugins: [
        selectionIsRead(),
        together(options.client),
        slashPlugin(options.onSlash, () => this.slashKeys),
        emptyLinePlugin(options.onLine),
        bubblePlugin(options.onBubble),
        hintsPlugin(options.invitation, options.hint),
        longBlocks(),
        picturesPlugin(),
        embedsPlugin(options.look, options.origin),
        pastePlugin(() => this.pictures, options.say),
        pasteMarkdownPlugin(options.say, options.origin),
        caretsPlugin({ client: options.client, seq: options.seq, tell: options.onCaret }),
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
    this.facts = new ExternalStore(factsOf(state));
    const picture: NodeViewConstructor = (node, view, getPos) =>
      new PictureView(node, view, getPos, (pos, anchor) => this.ask({ about: "alt", pos, anchor }));
    this.view = new EditorView(
      { mount },
      {
        state,
        attributes: options.attributes,
        nodeViews: {
          image: picture,
          figure_image: picture,
          figure: (node) => new FigureView(node),
          figure_pair: (node) => new FigureView(node),
          embed: (node) => new EmbedView(node, options),
          formula: (node, view, getPos) => new FormulaView(node, view, getPos),
          formula_block: (node) => new FormulaBlockView(node),
          task_item: (node, view, getPos) => new TaskView(node, view, getPos),
          // A browser would close it, and open it with each space that is typed.
          fold: () => standIn("fold"),
          fold_summary: () => standIn("fold-summary"),
        },
        clipboardParser: documentParser,
        // The bars at the top and, on phones, above the keyboard hide nothing that is being written.
        scrollThreshold: { top: 212, bottom: 96, left: 0, right: 0 },
        scrollMargin: { top: 228, bottom: 112, left: 0, right: 0 },
        // A picture of a figure is none by itself: a click selects the figure.
        handleClickOn(view, _pos, node, nodePos) {
          if (node.type !== schema.nodes.figure_image) return false;
          const figure = view.state.doc.resolve(nodePos).before();
          view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, figure)));
          return true;
        },
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

  /** Of a picture in a line, which has no words below it. */
  readonly #askAlt: Command = () => {
    const { picture } = this.facts.get();
    const { selection } = this.view.state;
    const anchor = picture === selection.from ? this.view.nodeDOM(selection.from) : null;
    if (!(anchor instanceof HTMLElement)) return false;
    this.ask({ about: "alt", pos: selection.from, anchor });
    return true;
  };

  readonly #askLink: Command = () => {
    if (!this.facts.get().canMark) return false;
    this.ask({ about: "link" });
    return true;
  };

  #refresh(): void {
    const facts = factsOf(this.view.state);
    if (sameFacts(facts, this.facts.get())) return;
    this.facts.set(facts);
  }
}
