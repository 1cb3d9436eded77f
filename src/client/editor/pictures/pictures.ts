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
import { UploadCard } from "./upload-card.ts";

const { nodes } = schema;

/** How many pictures are uploading, how many failed, and all names. */
export interface PictureUploads {
  sending: number;
  failed: number;
  names: string[];
}

type Change =
  | { add: { id: string; pos: number; side: number; card: UploadCard } }
  /** Moves the cards that follow a picture at its place to its end. */
  | { inserted: { id: string; end: number } }
  | { remove: string };
/** Cards are shown before what is at their position: their sides are negative. Each `add` has room for this many files. */
const firstSide = -1_000_000_000;
const filesPerSide = 1_000;
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
        if ("add" in change) return mapped.add(tr.doc, [cardAt(change.add)]);
        const { id, end } = change.inserted;
        const [arrived] = mapped.find(undefined, undefined, (spec) => spec.id === id);
        if (!arrived) return mapped;
        const following = mapped.find(arrived.from, arrived.from, ({ side }) => side > arrived.spec.side);
        return mapped.remove(following).add(
          tr.doc,
          following.map(({ spec }) => cardAt({ ...(spec as CardSpec), pos: end })),
        );
      },
    },
    props: { decorations: (state) => key.getState(state) },
  });
}

interface CardSpec {
  id: string;
  side: number;
  card: UploadCard;
}

const cardAt = ({ id, pos, side, card }: CardSpec & { pos: number }): Decoration =>
  Decoration.widget(pos, () => card.dom, {
    id,
    key: id,
    side,
    card,
    ignoreSelection: true,
    stopEvent: () => true,
  });

/** Uploads pictures into the text, with progress, cancel and retry. */
export class Pictures {
  readonly #view: EditorView;
  readonly #onChange: (underWay: PictureUploads) => void;
  readonly #showMessage: (message: string) => void;
  readonly #cards = new Map<string, UploadCard>();
  readonly #ended = new AbortController();
  #count = 0;
  #batches = 0;
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

  /**
   * Adds pictures between two blocks, before those that are uploaded there already, or at the selection. Shows a message for
   * unsupported files. They are inserted in their order, whichever arrives first.
   */
  add(files: readonly Blob[], pos?: number): void {
    const batch = ++this.#batches * filesPerSide * (pos === undefined ? 1 : -1);
    for (const [index, file] of files.entries()) {
      const refused = refusalReason(file, "text");
      if (refused) this.#showMessage(refused);
      else pos = this.#begin(file, pos, firstSide + batch + index);
    }
  }

  destroy(): void {
    this.#ended.abort();
    for (const card of this.#cards.values()) card.sending.endUpload();
    this.#cards.clear();
  }

  #begin(file: Blob, pos: number | undefined, side: number): number {
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
    this.#view.dispatch(tr.setMeta(key, { add: { id, pos: place.pos, side, card } } satisfies Change));
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
    const tr = insertPicture(closeHistory(this.#view.state.tr), place.from, picture, "");
    const end = at + tr.doc.nodeAt(at)!.nodeSize;
    this.#view.dispatch(tr.setMeta(key, { inserted: { id, end } } satisfies Change));
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

/**
 * Measures before a picture replaces its upload card and moves the text below. Call the returned function with the inserted
 * figure: if the writer has typed since, it keeps the cursor at its height; otherwise it scrolls the picture into view, if the
 * card was visible and the writer is not scrolling.
 */
function anchorScroll(
  view: EditorView,
  card: HTMLElement,
  { isWriting, isScrolling }: { isWriting: boolean; isScrolling: boolean },
): (figure: HTMLElement) => void {
  const cursor = () => view.coordsAtPos(view.state.selection.head);
  const isSeen = ({ top, bottom }: { top: number; bottom: number }): boolean =>
    bottom > 0 && top < window.innerHeight;
  const before = cursor();
  if (isWriting && isSeen(before))
    return () => window.scrollBy({ top: cursor().top - before.top, behavior: "instant" });
  if (!isScrolling && isSeen(card.getBoundingClientRect()))
    return (figure) => figure.scrollIntoView({ block: "nearest", behavior: "instant" });
  return () => {};
}
