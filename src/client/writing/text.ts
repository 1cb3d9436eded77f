import { collab } from "prosemirror-collab";
import { Node } from "prosemirror-model";
import { EditorState, Selection } from "prosemirror-state";
import type { Plugin, Transaction } from "prosemirror-state";
import { Step } from "prosemirror-transform";
import type { StepMap } from "prosemirror-transform";
import { readDocument } from "../../shared/document/read.ts";
import { stepBetween } from "../../shared/document/steps.ts";
import { schema } from "../../shared/document/schema.ts";
import type { NodeJson } from "../../shared/document/schema.ts";
import type { Unconfirmed } from "./commits.ts";

/** A synchronized text, with or without a view. Its state has `collabPlugin`. */
export interface SyncedText {
  state: () => EditorState;
  dispatch: (transaction: Transaction) => void;
  /** Resolves after a composition with an input method, which others' changes would break; undefined if there is none. */
  composing?: () => Promise<void> | undefined;
}

export const collabPlugin = (client: string): Plugin => collab({ clientID: client });

/** A commit applied to a text, by this page or another. */
export interface AppliedCommit {
  seq: number;
  client: string;
  /** Its steps' maps in the confirmed text. */
  maps: readonly StepMap[];
}
const commitKey = "taken";
export const setAppliedCommit = (tr: Transaction, commit: AppliedCommit): Transaction =>
  tr.setMeta(commitKey, commit);
export const appliedCommitOf = (tr: Transaction): AppliedCommit | undefined =>
  tr.getMeta(commitKey) as AppliedCommit | undefined;

/** Puts the caret near a selection that the change destroyed: selected rows of a table throw if they cannot be mapped. */
export function mapSelection(tr: Transaction, { selection }: EditorState): Transaction {
  try {
    void tr.selection;
    return tr;
  } catch {
    return tr.setSelection(Selection.near(tr.doc.resolve(tr.mapping.map(selection.head, -1))));
  }
}

/** Applies an earlier session's steps, as far as they fit. */
export function applyUnconfirmed(state: EditorState, steps: readonly unknown[]): Transaction {
  const { tr } = state;
  for (const step of steps) if (tr.maybeStep(Step.fromJSON(schema, step)).failed) break;
  return tr.setMeta("addToHistory", false);
}

/** Creates a text without a view. Throws when the steps do not fit, as from another release. */
export function headless(document: NodeJson, { client, steps }: Unconfirmed): SyncedText {
  let state = EditorState.create({ doc: Node.fromJSON(schema, document), plugins: [collabPlugin(client)] });
  const transaction = state.tr;
  for (const step of steps) transaction.step(Step.fromJSON(schema, step));
  state = state.apply(transaction);
  return { state: () => state, dispatch: (tr) => void (state = state.apply(tr)) };
}

/** Normalizes a document as the editor does, to compare it with a stored one. */
export const normalDocument = (json: unknown): NodeJson => readDocument(json).toJSON() as NodeJson;

/** Makes a text equal to `document`, by one step for what differs. */
export function replace(text: SyncedText, document: NodeJson): void {
  const { tr, doc } = text.state();
  const step = stepBetween(doc, readDocument(document));
  if (step) text.dispatch(tr.step(step).scrollIntoView());
}
