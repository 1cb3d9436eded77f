import { closeHistory } from "prosemirror-history";
import type { Node } from "prosemirror-model";
import { Plugin, PluginKey } from "prosemirror-state";
import type { Transaction } from "prosemirror-state";
import { insertPoint } from "prosemirror-transform";
import { Decoration, DecorationSet } from "prosemirror-view";
import type { EditorView } from "prosemirror-view";
import type { Picture } from "../../../shared/blogs.ts";
import { schema } from "../../../shared/document/schema.ts";
import { openInsertPosition } from "../commands.ts";
import { refusalReason } from "../../uploads/files.ts";
import { PictureUpload } from "../../uploads/picture-upload.ts";
import { anchorScroll } from "./anchor-scroll.ts";
import { UploadCard } from "./upload-card.ts";

const { nodes } = schema;

/** How many pictures are uploading, how many failed, and all names. */
export interface PictureUploads {
  sending: number;
  failed: number;
  names: string[];
}

type Change = { add: { id: string; pos: number; card: UploadCard } } | { remove: string };
/** Milliseconds after a wheel or touch event in which the writer counts as scrolling. */
const SCROLLING = 400;
const key = new PluginKey<DecorationSet>("pictures");

/** Returns the nearest position where a figure fits, or the end. */
const figurePosition = (doc: Node, pos: number): number =>
  insertPoint(doc, pos, nodes.figure) ?? doc.content.size;

/** Inserts a stored picture between two blocks, as a figure. */
export function insertPicture(tr: Transaction, pos: number, picture: Picture, alt: string): Transaction {
  const { src, width, height } = picture;
  const image = nodes.figure_image.create({ src, width, height, alt });
  tr.insert(figurePosition(tr.doc, pos), nodes.figure.create(null, [image, nodes.figure_caption.create()]));
  // There is always a line to continue in.
  if (tr.doc.lastChild?.type === nodes.figure) tr.insert(tr.doc.content.size, nodes.paragraph.create());
  return tr;
}

/** Upload cards are decorations: neither stored nor undone. */
export function picturesPlugin(): Plugin {
  return new Plugin<DecorationSet>({
    key,
    state: {
      init: () => DecorationSet.empty,
      apply(tr, set) {
        const mapped = set.map(tr.mapping, tr.doc);
        const change = tr.getMeta(key) as Change | undefined;
        if (!change) return mapped;
        if ("remove" in change)
          return mapped.remove(mapped.find(undefined, undefined, (spec) => spec.id === change.remove));
        const { id, pos, card } = change.add;
        const widget = Decoration.widget(pos, () => card.dom, {
          id,
          key: id,
          side: -1,
          ignoreSelection: true,
          stopEvent: () => true,
        });
        return mapped.add(tr.doc, [widget]);
      },
    },
    props: { decorations: (state) => key.getState(state) },
  });
}

/** Uploads pictures into the text, with progress, cancel and retry. */
export class Pictures {
  readonly #view: EditorView;
  readonly #onChange: (underWay: PictureUploads) => void;
  readonly #showMessage: (message: string) => void;
  readonly #cards = new Map<string, UploadCard>();
  readonly #ended = new AbortController();
  #count = 0;
  #wroteAt = -Infinity;
  #scrolledAt = -Infinity;

  constructor(
    view: EditorView,
    onChange: (underWay: PictureUploads) => void,
    showMessage: (message: string) => void,
  ) {
    this.#view = view;
    this.#onChange = onChange;
    this.#showMessage = showMessage;
    const { signal } = this.#ended;
    view.dom.addEventListener("keydown", () => (this.#wroteAt = performance.now()), { signal });
    for (const kind of ["wheel", "touchmove"] as const)
      window.addEventListener(kind, () => (this.#scrolledAt = performance.now()), { passive: true, signal });
  }

  get uploads(): PictureUploads {
    const cards = [...this.#cards.values()];
    return {
      sending: cards.filter(({ sending }) => sending.shown.failed === null).length,
      failed: cards.filter(({ sending }) => sending.shown.failed !== null).length,
      names: cards.map(({ sending }) => sending.name),
    };
  }

  /** Adds pictures between two blocks or at the selection. Shows a message for unsupported files. */
  add(files: readonly Blob[], pos?: number): void {
    for (const file of files) {
      const refused = refusalReason(file, "text");
      if (refused) this.#showMessage(refused);
      else pos = this.#begin(file, pos);
    }
  }

  destroy(): void {
    this.#ended.abort();
    for (const card of this.#cards.values()) card.sending.endUpload();
    this.#cards.clear();
  }

  #begin(file: Blob, pos: number | undefined): number {
    const id = `picture-${++this.#count}`;
    const place = pos === undefined ? openInsertPosition(this.#view.state) : { tr: this.#view.state.tr, pos };
    const sending = new PictureUpload(file, "text", {
      changed: (shown) => {
        card.show(shown);
        this.#changed();
      },
      arrived: (picture) => this.#arrived(id, picture),
    });
    const card = new UploadCard(sending, () => {
      this.#remove(id);
      this.#view.focus();
    });
    this.#cards.set(id, card);
    const { tr } = place;
    // A dropped file is in view already.
    if (pos === undefined) tr.scrollIntoView();
    this.#view.dispatch(tr.setMeta(key, { add: { id, pos: place.pos, card } } satisfies Change));
    this.#changed();
    return place.pos;
  }

  #arrived(id: string, picture: Picture): void {
    const card = this.#cards.get(id);
    if (this.#view.isDestroyed || !card) return;
    const [place] = key.getState(this.#view.state)!.find(undefined, undefined, (spec) => spec.id === id);
    // The text around it was deleted.
    if (!place) return this.#remove(id);
    const at = figurePosition(this.#view.state.doc, place.from);
    const hold = anchorScroll(this.#view, card.dom, {
      isWriting: this.#wroteAt > card.begunAt,
      isScrolling: performance.now() - this.#scrolledAt < SCROLLING,
    });
    this.#view.dispatch(insertPicture(closeHistory(this.#view.state.tr), place.from, picture, ""));
    this.#remove(id);
    hold(this.#view.nodeDOM(at) as HTMLElement);
  }

  #remove(id: string): void {
    this.#cards.get(id)?.sending.endUpload();
    this.#cards.delete(id);
    if (!this.#view.isDestroyed)
      this.#view.dispatch(
        this.#view.state.tr.setMeta(key, { remove: id } satisfies Change).setMeta("addToHistory", false),
      );
    this.#changed();
  }

  #changed(): void {
    this.#onChange(this.uploads);
  }
}
