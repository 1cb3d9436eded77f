import { Plugin, PluginKey } from "prosemirror-state";
import type { EditorState, Transaction } from "prosemirror-state";
import { DecorationSet } from "prosemirror-view";
import type { EditorView } from "prosemirror-view";
import type { Caret, Writer } from "../../../shared/writing.ts";
import { takenWith } from "../sync/text.ts";
import type { Taken } from "../sync/text.ts";
import { drawn } from "./drawn.ts";
import type { Drawn } from "./drawn.ts";
import { broughtUp, confirmedPlace, mapped, remember, shownPlace, sideOf } from "./places.ts";
import type { Place } from "./places.ts";
import "./carets.css";

/** Another page that writes in the text, by the name that it is shown under. */
export type Other = Pick<Writer, "client" | "place" | "arrived" | "caret"> & { name: string };

interface Shown extends Drawn {
  arrived: number;
  /** As it was told. */
  caret: Caret | null;
  /** Where it is by now in the text that is shown; null where that is not known, or not yet. */
  at: Place | null;
}
interface Carets {
  seq: number;
  recent: readonly Taken[];
  shown: readonly Shown[];
  set: DecorationSet;
  /** How often the others did not know where this page's caret is. */
  unknown: number;
}

const key = new PluginKey<Carets>("carets");

/** Who else writes in a text. `isKnown`: they know where this page's caret is, if it has told them. */
export interface Company {
  others: readonly Other[];
  isKnown: boolean;
}

/** Says who else writes here, and where their carets are. */
export function showCompany(view: EditorView, company: Company): void {
  view.dispatch(view.state.tr.setMeta(key, company).setMeta("addToHistory", false));
}

/** Does this at once, or when what is being composed with an input method stands: until then nothing around it is drawn anew. */
export function whenAtRest(view: EditorView, act: () => void): () => void {
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
  /** The page's own name among those who write, and the commit that its text was made of. */
  client: string;
  seq: number;
  /** Tells the others where the caret of this page is. False where it did not arrive. */
  tell: (caret: Caret) => Promise<boolean>;
}

/** Shows the carets of the others who write in the text, and tells them of this one's (docs/decisions/0046). */
export const caretsPlugin = (options: Options): Plugin<Carets> =>
  new Plugin<Carets>({
    key,
    state: {
      init: () => ({ seq: options.seq, recent: [], shown: [], set: DecorationSet.empty, unknown: 0 }),
      apply: (tr, before, _old, state) => applied(tr, before, state),
    },
    props: {
      decorations: (state) => key.getState(state)?.set,
      handleDOMEvents: { focus: (view) => tellers.get(view)?.consider() },
    },
    view: (view) => {
      const teller = new Teller(view, options);
      tellers.set(view, teller);
      return { update: () => teller.consider(), destroy: () => teller.stop() };
    },
  });
const tellers = new WeakMap<EditorView, Teller>();

function applied(tr: Transaction, before: Carets, state: EditorState): Carets {
  const taken = takenWith(tr);
  const company = tr.getMeta(key) as Company | undefined;
  // Whoever writes alone has nothing to follow.
  if (!taken && !company && (!tr.docChanged || before.shown.length === 0)) return before;
  const seq = taken?.seq ?? before.seq;
  const recent = taken ? remember(before.recent, taken) : before.recent;
  const at = (caret: Caret | null, client: string): Place | null => {
    const now = caret && broughtUp(caret, client, seq, recent);
    return now && shownPlace(now, state);
  };
  const known = before.shown.map((one): Shown => {
    // What came before the commit that it was made on.
    if (one.caret && one.caret.seq > before.seq) return { ...one, at: at(one.caret, one.client) };
    const isOwn = taken?.client === one.client && taken.maps.length > 0;
    const place = one.at && mapped(one.at, tr.mapping, sideOf(taken, one.client));
    return { ...one, at: place, moves: one.moves + Number(isOwn) };
  });
  const shown = company ? company.others.map((other) => shownOf(other, known, at)) : known;
  const all = shown.flatMap((one) => (one.at ? drawn(state.doc, one, one.at) : []));
  const set = all.length > 0 ? DecorationSet.create(state.doc, all) : DecorationSet.empty;
  return { seq, recent, shown, set, unknown: before.unknown + Number(company?.isKnown === false) };
}

/** One that has not moved since it was told is where it was. */
function shownOf(
  { client, name, place, arrived, caret }: Other,
  known: readonly Shown[],
  at: (caret: Caret | null, client: string) => Place | null,
): Shown {
  const before = known.find((one) => one.client === client && one.arrived === arrived);
  const isSame = before !== undefined && sameCaret(before.caret, caret);
  const about = { client, name, place, arrived, caret };
  if (isSame) return { ...before, ...about };
  return { ...about, moves: (before?.moves ?? 0) + 1, at: at(caret, client) };
}

const sameCaret = (one: Caret | null, other: Caret | null): boolean =>
  one === other || (one?.seq === other?.seq && one?.anchor === other?.anchor && one?.head === other?.head);

/** A page says at most so often where it is: milliseconds. */
const each = 300;

/**
 * Tells the others where this page's caret is, when it is elsewhere than they have it: who writes goes along with what they write,
 * which needs no telling. While nobody else is there it tells nothing.
 */
class Teller {
  readonly #view: EditorView;
  readonly #options: Options;
  #told: Caret | null = null;
  /** Those who are there: who has just come knows of nobody. */
  #known = new Set<string>();
  #unknown = 0;
  #wasHere = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(view: EditorView, options: Options) {
    this.#view = view;
    this.#options = options;
  }

  consider(): void {
    const { state } = this.#view;
    const { seq, recent, shown, unknown } = key.getState(state)!;
    this.#wasHere ||= this.#view.hasFocus();
    const names = shown.map(({ client, arrived }) => `${client} ${arrived}`);
    if (unknown > this.#unknown || names.some((name) => !this.#known.has(name))) this.#told = null;
    [this.#known, this.#unknown] = [new Set(names), unknown];
    if (this.#told) this.#told = broughtUp(this.#told, this.#options.client, seq, recent);
    if (shown.length === 0 || !this.#wasHere || this.#timer) return;
    if (sameCaret(this.#told, { seq, ...confirmedPlace(state) })) return;
    // Once for all that changes in this turn, and not again for a while.
    this.#timer = setTimeout(() => this.#tell(), 0);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #tell(): void {
    const { state } = this.#view;
    const caret = { seq: key.getState(state)!.seq, ...confirmedPlace(state) };
    this.#told = caret;
    void this.#options.tell(caret).then((isTold) => {
      if (!isTold && this.#told === caret) this.#told = null;
    });
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (!this.#view.isDestroyed) this.consider();
    }, each);
  }
}
