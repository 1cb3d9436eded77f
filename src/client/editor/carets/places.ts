import { sendableSteps } from "prosemirror-collab";
import type { EditorState } from "prosemirror-state";
import type { Mappable } from "prosemirror-transform";
import type { Caret } from "../../../shared/writing.ts";
import type { Taken } from "../sync/text.ts";

/** Where a selection is, in the text as it stands somewhere. */
export type Place = Pick<Caret, "anchor" | "head">;

/** So many commits are remembered for carets that are older than the text. */
const remembered = 64;

/** What is known of the newest commits, in order. */
export const remember = (recent: readonly Taken[], commit: Taken): Taken[] => [
  ...recent.slice(1 - remembered),
  commit,
];

/** `side` 1: what comes in at the place goes before it. */
export const mapped = ({ anchor, head }: Place, through: Mappable, side: 1 | -1): Place => ({
  anchor: through.map(anchor, side),
  head: through.map(head, side),
});

/** Whoever writes goes along with what they write, and what others write at the same place comes after them. */
export const sideOf = (commit: Taken | undefined, client: string): 1 | -1 =>
  commit?.client === client ? 1 : -1;

/** A caret as it is after the newest of these commits; null where it is not known what came between, or what comes before it. */
export function broughtUp(caret: Caret, client: string, seq: number, recent: readonly Taken[]): Caret | null {
  const since = recent.filter((commit) => commit.seq > caret.seq);
  if (caret.seq > seq || since.length !== seq - caret.seq) return null;
  let place: Place = caret;
  for (const commit of since)
    for (const map of commit.maps) place = mapped(place, map, sideOf(commit, client));
  return { seq, ...place };
}

const unconfirmed = (state: EditorState) => (sendableSteps(state)?.steps ?? []).map((step) => step.getMap());

/** A place in the confirmed text as it is in the one that is shown. */
export const shownPlace = (place: Place, state: EditorState): Place => {
  let shown = place;
  for (const map of unconfirmed(state)) shown = mapped(shown, map, -1);
  const { size } = state.doc.content;
  return { anchor: Math.min(shown.anchor, size), head: Math.min(shown.head, size) };
};

/** Where the writer's own selection is in the confirmed text: at what they have just written it is before that. */
export const confirmedPlace = (state: EditorState): Place => {
  let place: Place = state.selection;
  for (const map of unconfirmed(state).toReversed()) place = mapped(place, map.invert(), 1);
  return { anchor: place.anchor, head: place.head };
};
