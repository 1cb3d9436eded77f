import { collab } from "prosemirror-collab";
import { Node } from "prosemirror-model";
import { EditorState } from "prosemirror-state";
import type { Plugin, Transaction } from "prosemirror-state";
import { Step } from "prosemirror-transform";
import type { StepMap } from "prosemirror-transform";
import { readDocument } from "../../../shared/document/read.ts";
import { stepBetween } from "../../../shared/document/step-between.ts";
import { schema } from "../../../shared/document/schema.ts";
import type { NodeJson } from "../../../shared/document/schema.ts";
import type { Unconfirmed } from "./sync.ts";

/** A text that is kept in step: an editor's, or one without a screen. Its state has the plugin of `together`. */
export interface Text {
  state: () => EditorState;
  dispatch: (transaction: Transaction) => void;
}

/** What lets a text be written in by several. */
export const together = (client: string): Plugin => collab({ clientID: client });

/** A commit that a text has taken, its own or another's. */
export interface Taken {
  seq: number;
  client: string;
  /** What its steps did to positions in the text that is confirmed. */
  maps: readonly StepMap[];
}
const taken = "taken";
export const setTaken = (tr: Transaction, commit: Taken): Transaction => tr.setMeta(taken, commit);
/** The commit that is taken with this transaction. */
export const takenWith = (tr: Transaction): Taken | undefined => tr.getMeta(taken) as Taken | undefined;

/** Puts over a text what was written on it before, as far as it still fits. */
export function writeOver(state: EditorState, steps: readonly unknown[]): Transaction {
  const { tr } = state;
  for (const step of steps) if (tr.maybeStep(Step.fromJSON(schema, step)).failed) break;
  return tr.setMeta("addToHistory", false);
}

/** A text without a screen. Throws where what was written over it does not fit, as another release may have it. */
export function headless(document: NodeJson, { client, steps }: Unconfirmed): Text {
  let state = EditorState.create({ doc: Node.fromJSON(schema, document), plugins: [together(client)] });
  const written = state.tr;
  for (const step of steps) written.step(Step.fromJSON(schema, step));
  state = state.apply(written);
  return { state: () => state, dispatch: (tr) => void (state = state.apply(tr)) };
}

/** Makes a text say this document, by one change of what differs. */
export function replace(text: Text, document: NodeJson): void {
  const { tr, doc } = text.state();
  const step = stepBetween(doc, readDocument(document));
  if (step) text.dispatch(tr.step(step).scrollIntoView());
}
