import { Plugin, PluginKey } from "prosemirror-state";
import type { EditorState, Transaction } from "prosemirror-state";
import { DecorationSet } from "prosemirror-view";
import type { EditorView } from "prosemirror-view";
import type { Caret, Writer } from "../../../shared/drafts.ts";
import { appliedCommitOf } from "../../writing/text.ts";
import type { AppliedCommit } from "../../writing/text.ts";
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
  if (!view.isDestroyed) view.dispatch(view.state.tr.setMeta(key, company).setMeta("addToHistory", false));
}

/**
 * Runs `action`, if necessary after a composition with an input method, which rendering would disturb, or once the view is
 * destroyed. Returns a function that cancels it.
 */
export function afterComposition(view: EditorView, action: () => void): () => void {
  if (!view.composing) {
    action();
    return () => undefined;
  }
  const interval = setInterval(() => {
    if (view.composing && !view.isDestroyed) return;
    clearInterval(interval);
    action();
  }, 100);
  return () => clearInterval(interval);
}

interface Options {
  /** This page's client id, and the commit that its document is. */
  client: string;
  seq: number;
  /** Sends this page's caret. Resolves to false when that failed. */
  sendCaret: (caret: Caret) => Promise<boolean>;
}

/** Shows other writers' carets and sends them this page's (docs/decisions/0021-co-authors-and-carets.md). */
export const caretsPlugin = (options: Options): Plugin<Carets> =>
  new Plugin<Carets>({
    key,
    state: {
      init: () => ({ seq: options.seq, recent: [], shown: [], set: DecorationSet.empty, unknown: 0 }),
      apply: (tr, before, _old, state) => applyTransaction(tr, before, state),
    },
    props: {
      decorations: (state) => key.getState(state)?.set,
      handleDOMEvents: { focus: (view) => senders.get(view)?.sendIfChanged() },
    },
    view: (view) => {
      const sender = new CaretSender(view, options);
      senders.set(view, sender);
      return { update: () => sender.sendIfChanged(), destroy: () => sender.stop() };
    },
  });
const senders = new WeakMap<EditorView, CaretSender>();

function applyTransaction(tr: Transaction, before: Carets, state: EditorState): Carets {
  const commit = appliedCommitOf(tr);
  const company = tr.getMeta(key) as WriterPresence | undefined;
  // No other carets to map.
  if (!commit && !company && (!tr.docChanged || before.shown.length === 0)) return before;
  const seq = commit?.seq ?? before.seq;
  const recent = commit ? appendCommit(before.recent, commit) : before.recent;
  const at = (caret: Caret | null, client: string): SelectionRange | null => {
    const now = caret && mapCaret(caret, client, seq, recent);
    return now && toDisplayedRange(now, state);
  };
  const mapped = before.shown.map((one): ShownCaret => {
    // The caret arrived before its commit.
    if (one.caret && one.caret.seq > before.seq) return { ...one, at: at(one.caret, one.client) };
    const isOwn = commit?.client === one.client && commit.maps.length > 0;
    const place = one.at && mapRange(one.at, tr.mapping, mapSide(commit, one.client));
    return { ...one, at: place, moves: one.moves + Number(isOwn) };
  });
  const shown = company ? company.others.map((other) => updateShownCaret(other, mapped, at)) : mapped;
  const all = shown.flatMap((one) => (one.at ? caretDecorations(state.doc, one, one.at) : []));
  const set = all.length > 0 ? DecorationSet.create(state.doc, all) : DecorationSet.empty;
  return { seq, recent, shown, set, unknown: before.unknown + Number(company?.isKnown === false) };
}

/** Keeps the mapped position of an unchanged caret. */
function updateShownCaret(
  { client, name, place, arrived, caret }: OtherWriter,
  carets: readonly ShownCaret[],
  at: (caret: Caret | null, client: string) => SelectionRange | null,
): ShownCaret {
  const before = carets.find((one) => one.client === client && one.arrived === arrived);
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
  #sentCaret: Caret | null = null;
  /** The pages present: one that just joined knows no carets. */
  #knownWriters = new Set<string>();
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
    if (unknown > this.#unknown || names.some((name) => !this.#knownWriters.has(name)))
      this.#sentCaret = null;
    [this.#knownWriters, this.#unknown] = [new Set(names), unknown];
    if (this.#sentCaret) this.#sentCaret = mapCaret(this.#sentCaret, this.#options.client, seq, recent);
    if (shown.length === 0 || !this.#wasHere || this.#timer) return;
    if (sameCaret(this.#sentCaret, { seq, ...toConfirmedRange(state) })) return;
    // Once for all changes of this task.
    this.#timer = setTimeout(() => this.#send(), 0);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #send(): void {
    const { state } = this.#view;
    const caret = { seq: key.getState(state)!.seq, ...toConfirmedRange(state) };
    this.#sentCaret = caret;
    void this.#options.sendCaret(caret).then((isSent) => {
      if (!isSent && this.#sentCaret === caret) this.#sentCaret = null;
    });
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (!this.#view.isDestroyed) this.sendIfChanged();
    }, caretIntervalMs);
  }
}
