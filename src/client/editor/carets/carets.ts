import { Plugin, PluginKey } from "prosemirror-state";
import type { EditorState, Transaction } from "prosemirror-state";
import { DecorationSet } from "prosemirror-view";
import type { EditorView } from "prosemirror-view";
import type { Caret, Writer } from "../../../shared/writing.ts";
import { appliedCommitOf } from "../sync/text.ts";
import type { AppliedCommit } from "../sync/text.ts";
import { caretDecorations } from "./caret-decorations.ts";
import type { CaretOwner } from "./caret-decorations.ts";
import {
  mapCaret,
  toConfirmedRange,
  mapRange,
  appendCommit,
  toDisplayedRange,
  mapSide,
} from "./selection-range.ts";
import type { SelectionRange } from "./selection-range.ts";
import "./carets.css";

/** Another page that edits the text, with the name shown at its caret. */
export type OtherWriter = Pick<Writer, "client" | "place" | "arrived" | "caret"> & { name: string };

interface ShownCaret extends CaretOwner {
  arrived: number;
  /** As received. */
  caret: Caret | null;
  /** In the displayed text; null while unknown. */
  at: SelectionRange | null;
}
interface Carets {
  seq: number;
  recent: readonly AppliedCommit[];
  shown: readonly ShownCaret[];
  set: DecorationSet;
  /** How often the others did not have this page's caret. */
  unknown: number;
}

const key = new PluginKey<Carets>("carets");

/** The other pages that edit a text. `isKnown`: they have this page's caret, if it was sent. */
export interface WriterPresence {
  others: readonly OtherWriter[];
  isKnown: boolean;
}

export function showPresence(view: EditorView, company: WriterPresence): void {
  view.dispatch(view.state.tr.setMeta(key, company).setMeta("addToHistory", false));
}

/**
 * Runs `act`, if necessary after a composition with an input method, which rendering would disturb. Returns a function that
 * cancels it.
 */
export function afterComposition(view: EditorView, act: () => void): () => void {
  if (!view.composing) {
    act();
    return () => undefined;
  }
  const look = setInterval(() => {
    if (view.composing) return;
    clearInterval(look);
    if (!view.isDestroyed) act();
  }, 100);
  return () => clearInterval(look);
}

interface Options {
  /** This page's client id, and the commit that its document is. */
  client: string;
  seq: number;
  /** Sends this page's caret. Resolves to false when that failed. */
  sendCaret: (caret: Caret) => Promise<boolean>;
}

/** Shows other writers' carets and sends them this page's (docs/decisions/0046). */
export const caretsPlugin = (options: Options): Plugin<Carets> =>
  new Plugin<Carets>({
    key,
    state: {
      init: () => ({ seq: options.seq, recent: [], shown: [], set: DecorationSet.empty, unknown: 0 }),
      apply: (tr, before, _old, state) => applied(tr, before, state),
    },
    props: {
      decorations: (state) => key.getState(state)?.set,
      handleDOMEvents: { focus: (view) => tellers.get(view)?.sendIfChanged() },
    },
    view: (view) => {
      const teller = new CaretSender(view, options);
      tellers.set(view, teller);
      return { update: () => teller.sendIfChanged(), destroy: () => teller.stop() };
    },
  });
const tellers = new WeakMap<EditorView, CaretSender>();

function applied(tr: Transaction, before: Carets, state: EditorState): Carets {
  const taken = appliedCommitOf(tr);
  const company = tr.getMeta(key) as WriterPresence | undefined;
  // No other carets to map.
  if (!taken && !company && (!tr.docChanged || before.shown.length === 0)) return before;
  const seq = taken?.seq ?? before.seq;
  const recent = taken ? appendCommit(before.recent, taken) : before.recent;
  const at = (caret: Caret | null, client: string): SelectionRange | null => {
    const now = caret && mapCaret(caret, client, seq, recent);
    return now && toDisplayedRange(now, state);
  };
  const known = before.shown.map((one): ShownCaret => {
    // The caret arrived before its commit.
    if (one.caret && one.caret.seq > before.seq) return { ...one, at: at(one.caret, one.client) };
    const isOwn = taken?.client === one.client && taken.maps.length > 0;
    const place = one.at && mapRange(one.at, tr.mapping, mapSide(taken, one.client));
    return { ...one, at: place, moves: one.moves + Number(isOwn) };
  });
  const shown = company ? company.others.map((other) => updateShownCaret(other, known, at)) : known;
  const all = shown.flatMap((one) => (one.at ? caretDecorations(state.doc, one, one.at) : []));
  const set = all.length > 0 ? DecorationSet.create(state.doc, all) : DecorationSet.empty;
  return { seq, recent, shown, set, unknown: before.unknown + Number(company?.isKnown === false) };
}

/** Keeps the mapped position of an unchanged caret. */
function updateShownCaret(
  { client, name, place, arrived, caret }: OtherWriter,
  known: readonly ShownCaret[],
  at: (caret: Caret | null, client: string) => SelectionRange | null,
): ShownCaret {
  const before = known.find((one) => one.client === client && one.arrived === arrived);
  const isSame = before !== undefined && sameCaret(before.caret, caret);
  const about = { client, name, place, arrived, caret };
  if (isSame) return { ...before, ...about };
  return { ...about, moves: (before?.moves ?? 0) + 1, at: at(caret, client) };
}

const sameCaret = (one: Caret | null, other: Caret | null): boolean =>
  one === other || (one?.seq === other?.seq && one?.anchor === other?.anchor && one?.head === other?.head);

/** Milliseconds between two caret messages. */
const caretIntervalMs = 300;

/**
 * Sends this page's caret when it differs from what the others have. Typing needs no message, since a commit moves the caret;
 * without others it sends nothing.
 */
class CaretSender {
  readonly #view: EditorView;
  readonly #options: Options;
  #told: Caret | null = null;
  /** The pages present: one that just joined knows no carets. */
  #known = new Set<string>();
  #unknown = 0;
  #wasHere = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(view: EditorView, options: Options) {
    this.#view = view;
    this.#options = options;
  }

  sendIfChanged(): void {
    const { state } = this.#view;
    const { seq, recent, shown, unknown } = key.getState(state)!;
    this.#wasHere ||= this.#view.hasFocus();
    const names = shown.map(({ client, arrived }) => `${client} ${arrived}`);
    if (unknown > this.#unknown || names.some((name) => !this.#known.has(name))) this.#told = null;
    [this.#known, this.#unknown] = [new Set(names), unknown];
    if (this.#told) this.#told = mapCaret(this.#told, this.#options.client, seq, recent);
    if (shown.length === 0 || !this.#wasHere || this.#timer) return;
    if (sameCaret(this.#told, { seq, ...toConfirmedRange(state) })) return;
    // Once for all changes of this task.
    this.#timer = setTimeout(() => this.#tell(), 0);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #tell(): void {
    const { state } = this.#view;
    const caret = { seq: key.getState(state)!.seq, ...toConfirmedRange(state) };
    this.#told = caret;
    void this.#options.sendCaret(caret).then((isTold) => {
      if (!isTold && this.#told === caret) this.#told = null;
    });
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (!this.#view.isDestroyed) this.sendIfChanged();
    }, caretIntervalMs);
  }
}
