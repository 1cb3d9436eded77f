import type { Node } from "prosemirror-model";
import { NodeSelection, Plugin, Selection } from "prosemirror-state";
import type { Command } from "prosemirror-state";
import { EditorView } from "prosemirror-view";
import { documentParser } from "../../shared/document/parser.ts";
import { schema } from "../../shared/document/schema.ts";
import type { Caret } from "../../shared/drafts.ts";
import { caretsPlugin } from "./carets/carets.ts";
import { toBlockBar } from "./menus/block-bar.tsx";
import { bubblePlugin } from "./menus/bubble.ts";
import type { Bubble } from "./menus/bubble.ts";
import { emptyLinePlugin } from "./menus/empty-line.ts";
import type { EmptyLine } from "./menus/empty-line.ts";
import { ClipboardSerializer } from "./clipboard-serializer.ts";
import { createState } from "./create-state.ts";
import { blocks } from "./blocks.ts";
import type { FetchCard, RenderBlogCard } from "./blocks/embed.ts";
import { factsOf, sameFacts } from "./selection-state.ts";
import type { SelectionState } from "./selection-state.ts";
import { focusStart } from "./focus-start.ts";
import { leaveAtStartKeys } from "./keys.ts";
import { hintsPlugin } from "./hints.ts";
import { longBlocks, textDirections } from "./text-directions.ts";
import { pasteMarkdownPlugin } from "./paste-markdown.ts";
import { pastePlugin } from "./paste.ts";
import { Pictures, picturesPlugin } from "./pictures/pictures.ts";
import type { PictureUploads } from "./pictures/pictures.ts";
import { selectionSyncPlugin } from "./selection-sync.ts";
import { collabPlugin } from "../writing/text.ts";
import { slashPlugin } from "./menus/slash.ts";
import type { Slash, SlashKeys } from "./menus/slash.ts";
import { ExternalStore } from "../ui/external-store.ts";

/** A question asked in a popover. */
export type Question =
  | { about: "link"; of: "text" | "figure" }
  | { about: "alt"; pos: number; anchor: HTMLElement };

/** Shows an error or, with `action`, an offer. */
export type ShowMessage = (message: string, action?: { label: string; run: () => void }) => void;

export interface EditorOptions {
  document: Node;
  /** The name of the text, the same on all pages that edit it. */
  text: string;
  /** This page's client id, and the commit that `document` is. */
  client: string;
  seq: number;
  /** Sends this page's caret. Resolves to false when that failed. */
  onCaret: (caret: Caret) => Promise<boolean>;
  attributes: Record<string, string>;
  /** For smart quotes and dashes; null turns them off. */
  language: () => string | null;
  /** The site's origin: its blogs get cards. */
  origin: string;
  fetchCard: FetchCard;
  showBlog: RenderBlogCard;
  /** The placeholder of an empty text, and the hint below it. */
  invitation: string;
  hint: string;
  onChange: (document: Node) => void;
  onPictures: (underWay: PictureUploads) => void;
  onQuestion: (question: Question) => void;
  onSlash: (slash: Slash | null) => void;
  onLine: (line: EmptyLine | null) => void;
  onBubble: (bubble: Bubble | null) => void;
  /** The caret leaves the text upwards. */
  onLeave: () => void;
  onToolbar: () => void;
  showMessage: ShowMessage;
}

/** The editor for the toolbar and the form. */
export class Editor {
  readonly view: EditorView;
  readonly pictures: Pictures;
  readonly openQuestion: (question: Question) => void;
  /** Shows all tools and focuses the first. */
  readonly openToolbar: () => void;
  /** Set by the open slash menu. */
  slashKeys: SlashKeys | null = null;
  readonly facts: ExternalStore<SelectionState>;

  constructor(mount: HTMLElement, options: EditorOptions) {
    const { onChange } = options;
    this.openQuestion = options.onQuestion;
    this.openToolbar = options.onToolbar;
    const state = createState(options.document, {
      language: options.language,
      keys: {
        "Mod-k": this.#editLink,
        Tab: (...at) => (this.facts.get().figure !== null ? toBlockBar("figure-bar") : this.#editAlt(...at)),
        Enter: this.#editAlt,
        "Alt-F10": () => {
          if (!toBlockBar("link-bar", "figure-bar", "code-bar", "table-bar", "editor-block-tools"))
            this.openToolbar();
          return true;
        },
        ...leaveAtStartKeys(options.onLeave),
      },
      plugins: [
        selectionSyncPlugin(),
        collabPlugin(options.client),
        slashPlugin(options.onSlash, () => this.slashKeys),
        emptyLinePlugin(options.onLine),
        bubblePlugin(options.onBubble),
        hintsPlugin(options.invitation, options.hint),
        longBlocks(),
        textDirections(),
        picturesPlugin(),
        ...blocks.flatMap((block) => block.pagePlugins?.(options) ?? []),
        pastePlugin(() => this.pictures, options.showMessage, options.text),
        pasteMarkdownPlugin(options.showMessage, options.origin),
        caretsPlugin({ client: options.client, seq: options.seq, sendCaret: options.onCaret }),
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
    this.view = new EditorView(
      { mount },
      {
        state,
        attributes: options.attributes,
        nodeViews: Object.assign({}, ...blocks.map(({ views }) => views?.(options, this.openQuestion))),
        clipboardParser: documentParser,
        clipboardSerializer: new ClipboardSerializer(options.text),
        // Keeps the caret clear of the bars.
        scrollThreshold: { top: 212, bottom: 96, left: 0, right: 0 },
        scrollMargin: { top: 228, bottom: 112, left: 0, right: 0 },
        handleDOMEvents: {
          [focusStart](view) {
            // First: only a focused text scrolls to its caret.
            view.focus();
            view.dispatch(view.state.tr.setSelection(Selection.atStart(view.state.doc)).scrollIntoView());
          },
        },
        // A click on a figure's picture selects the figure.
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
    this.pictures = new Pictures(this.view, options.onPictures, options.showMessage);
  }

  /** Runs a command and focuses the text. */
  readonly run = (command: Command): boolean => {
    const isHandled = command(this.view.state, this.view.dispatch, this.view);
    this.view.focus();
    return isHandled;
  };

  destroy(): void {
    this.pictures.destroy();
    this.view.destroy();
  }

  /** For a picture in a line, which has no caption. */
  readonly #editAlt: Command = ({ selection }) => {
    const isInLine = selection instanceof NodeSelection && selection.node.type === schema.nodes.image;
    const anchor = isInLine ? this.view.nodeDOM(selection.from) : null;
    if (!(anchor instanceof HTMLElement)) return false;
    this.openQuestion({ about: "alt", pos: selection.from, anchor });
    return true;
  };

  readonly #editLink: Command = () => {
    const { selection } = this.view.state;
    const isFigure = selection instanceof NodeSelection && selection.node.type === schema.nodes.figure;
    if (!isFigure && !this.facts.get().canMark) return false;
    this.openQuestion({ about: "link", of: isFigure ? "figure" : "text" });
    return true;
  };

  #refresh(): void {
    const facts = factsOf(this.view.state);
    if (sameFacts(facts, this.facts.get())) return;
    this.facts.set(facts);
  }
}
