import { closeHistory } from "prosemirror-history";
import type { Node } from "prosemirror-model";
import { Plugin, PluginKey } from "prosemirror-state";
import type { Transaction } from "prosemirror-state";
import { insertPoint } from "prosemirror-transform";
import { Decoration, DecorationSet } from "prosemirror-view";
import type { EditorView } from "prosemirror-view";
import type { Picture } from "../../../shared/blogs.ts";
import { schema } from "../../../shared/document/schema.ts";
import { openPlace } from "../commands.ts";
import { refusal } from "../../uploads/files.ts";
import { Sending } from "../../uploads/sending.ts";
import { holdSight } from "./hold-sight.ts";
import { UploadCard } from "./upload-card.ts";

const { nodes } = schema;

/** How many pictures are on their way into the text, how many got stuck, and what all of them are called. */
export interface PicturesUnderWay {
  sending: number;
  failed: number;
  names: string[];
}

type Change = { add: { id: string; pos: number; card: UploadCard } } | { remove: string };
/** How long after the last wheel or touch event the writer counts as scrolling, in milliseconds. */
const SCROLLING = 400;
const key = new PluginKey<DecorationSet>("pictures");

/** Returns the position nearest to `pos` where a figure fits, or the end of the text. */
const roomAt = (doc: Node, pos: number): number => insertPoint(doc, pos, nodes.figure) ?? doc.content.size;

/** Puts a stored picture between two blocks, as a figure. */
export function placePicture(tr: Transaction, pos: number, picture: Picture, alt: string): Transaction {
  const { src, width, height } = picture;
  const image = nodes.figure_image.create({ src, width, height, alt });
  tr.insert(roomAt(tr.doc, pos), nodes.figure.create(null, [image, nodes.figure_caption.create()]));
  // There is always a line to go on writing in.
  if (tr.doc.lastChild?.type === nodes.figure) tr.insert(tr.doc.content.size, nodes.paragraph.create());
  return tr;
}

/** The cards of pictures under way are decorations: no part of the text, so neither stored nor undone. */
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

/** Brings pictures into the text: sends them, shows how far they are, lets the writer cancel and try again. */
export class Pictures {
  readonly #view: EditorView;
  readonly #onChange: (underWay: PicturesUnderWay) => void;
  readonly #say: (message: string) => void;
  readonly #cards = new Map<string, UploadCard>();
  readonly #ended = new AbortController();
  #count = 0;
  #wroteAt = -Infinity;
  #scrolledAt = -Infinity;

  constructor(
    view: EditorView,
    onChange: (underWay: PicturesUnderWay) => void,
    say: (message: string) => void,
  ) {
    this.#view = view;
    this.#onChange = onChange;
    this.#say = say;
    const { signal } = this.#ended;
    view.dom.addEventListener("keydown", () => (this.#wroteAt = performance.now()), { signal });
    for (const kind of ["wheel", "touchmove"] as const)
      window.addEventListener(kind, () => (this.#scrolledAt = performance.now()), { passive: true, signal });
  }

  get underWay(): PicturesUnderWay {
    const cards = [...this.#cards.values()];
    return {
      sending: cards.filter(({ sending }) => sending.shown.failed === null).length,
      failed: cards.filter(({ sending }) => sending.shown.failed !== null).length,
      names: cards.map(({ sending }) => sending.name),
    };
  }

  /** At `pos`, between two blocks, or at the selection. Files that are no picture we take are refused aloud. */
  add(files: readonly Blob[], pos?: number): void {
    for (const file of files) {
      const refused = refusal(file, "text");
      if (refused) this.#say(refused);
      else pos = this.#begin(file, pos);
    }
  }

  destroy(): void {
    this.#ended.abort();
    for (const card of this.#cards.values()) card.sending.end();
    this.#cards.clear();
  }

  #begin(file: Blob, pos: number | undefined): number {
    const id = `picture-${++this.#count}`;
    const place = pos === undefined ? openPlace(this.#view.state) : { tr: this.#view.state.tr, pos };
    const sending = new Sending(file, "text", {
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
    // Without a place the text around it was deleted meanwhile, and the picture with it.
    if (!place) return this.#remove(id);
    const at = roomAt(this.#view.state.doc, place.from);
    const hold = holdSight(this.#view, card.dom, {
      writesOn: this.#wroteAt > card.begunAt,
      scrolls: performance.now() - this.#scrolledAt < SCROLLING,
    });
    this.#view.dispatch(placePicture(closeHistory(this.#view.state.tr), place.from, picture, ""));
    this.#remove(id);
    hold(this.#view.nodeDOM(at) as HTMLElement);
  }

  #remove(id: string): void {
    this.#cards.get(id)?.sending.end();
    this.#cards.delete(id);
    if (!this.#view.isDestroyed)
      this.#view.dispatch(
        this.#view.state.tr.setMeta(key, { remove: id } satisfies Change).setMeta("addToHistory", false),
      );
    this.#changed();
  }

  #changed(): void {
    this.#onChange(this.underWay);
  }
}
