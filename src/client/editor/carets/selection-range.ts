import { sendableSteps } from "prosemirror-collab";
import type { EditorState } from "prosemirror-state";
import type { Mappable } from "prosemirror-transform";
import type { Caret } from "../../../shared/drafts.ts";
import type { AppliedCommit } from "../../writing/text.ts";

/** A selection in some version of the text. */
export type SelectionRange = Pick<Caret, "anchor" | "head">;

/** Commits kept to map carets that are older than the text. */
const maxRecentCommits = 64;

export const appendCommit = (recent: readonly AppliedCommit[], commit: AppliedCommit): AppliedCommit[] => [
  ...recent.slice(1 - maxRecentCommits),
  commit,
];

/** With `side` 1, insertions at a position go before it. */
export const mapRange = (
  { anchor, head }: SelectionRange,
  through: Mappable,
  side: 1 | -1,
): SelectionRange => ({
  anchor: through.map(anchor, side),
  head: through.map(head, side),
});

/** A writer's caret moves behind their own insertions; others' insertions there go after it. */
export const mapSide = (commit: AppliedCommit | undefined, client: string): 1 | -1 =>
  commit?.client === client ? 1 : -1;

/** Maps a caret through later commits. Null when some are missing or the caret is newer than `seq`. */
export function mapCaret(
  caret: Caret,
  client: string,
  seq: number,
  recent: readonly AppliedCommit[],
): Caret | null {
  const since = recent.filter((commit) => commit.seq > caret.seq);
  if (caret.seq > seq || since.length !== seq - caret.seq) return null;
  let place: SelectionRange = caret;
  for (const commit of since)
    for (const map of commit.maps) place = mapRange(place, map, mapSide(commit, client));
  return { seq, ...place };
}

const unconfirmed = (state: EditorState) => (sendableSteps(state)?.steps ?? []).map((step) => step.getMap());

/** Maps a position in the confirmed text to the displayed text. */
export const toDisplayedRange = (place: SelectionRange, state: EditorState): SelectionRange => {
  let shown = place;
  for (const map of unconfirmed(state)) shown = mapRange(shown, map, -1);
  const { size } = state.doc.content;
  return { anchor: Math.min(shown.anchor, size), head: Math.min(shown.head, size) };
};

/** Returns this page's selection in the confirmed text; within unconfirmed text, the position before it. */
export const toConfirmedRange = (state: EditorState): SelectionRange => {
  let place: SelectionRange = state.selection;
  for (const map of unconfirmed(state).toReversed()) place = mapRange(place, map.invert(), 1);
  return { anchor: place.anchor, head: place.head };
};
