import type { Node } from "prosemirror-model";
import type { Step } from "prosemirror-transform";
import { stepCost } from "../../shared/document/steps.ts";
import { draftLimits } from "../../shared/drafts.ts";
import { sameJson } from "../../shared/same-json.ts";
import type { CommitsSince, DraftFields, PushResult } from "../../shared/drafts.ts";

/** A commit being sent. A retry sends the same one: the server stores it once even if responses are lost. */
export interface PendingCommit {
  seq: number;
  number: number;
  /** JSON of an array. */
  steps: string;
  fields: Partial<DraftFields>;
}

export type CommitRequest = PendingCommit & { id: string; epoch: string; client: string; schema: string };

/** What the server has not confirmed, and the commit it is based on. */
export interface Unconfirmed {
  epoch: string;
  seq: number;
  client: string;
  number: number;
  steps: unknown[];
  fields: Partial<DraftFields>;
  underway: PendingCommit | null;
}

/**
 * `saved`: the server has everything. `offline`: no response; `troubled`: an error; `busy`: it is overloaded. `full`: too many
 * pages edit this text. `gone`: the blog does not exist any more. `ended`: the writer lost access. `lost`: the changes do not
 * apply to the server's text. `old`: this page is outdated. `failed`: the server refuses the changes.
 */
export type SyncState =
  | { name: "saved" | "saving" | TemporaryProblem | "gone" | "ended" | "lost" | "old" }
  | { name: "failed"; reason: string };

/** Temporary states: the commit is sent again. */
type TemporaryProblem = "offline" | "troubled" | "busy" | "signed-out" | "full";

/** Why a request failed. After a temporary problem it may have arrived. */
export type SyncProblem = TemporaryProblem | "gone" | "ended" | "old" | "number" | { reason: string };

export interface Server {
  push: (commit: CommitRequest) => Promise<PushResult>;
  since: (input: { id: string; epoch: string; seq: number }) => Promise<CommitsSince>;
  classifyError: (error: unknown) => SyncProblem;
}

/** Whether the commit is sent again. */
export const isTemporary = (state: unknown): state is TemporaryProblem =>
  ["offline", "troubled", "busy", "signed-out", "full"].includes(state as string);

/** Returns the document after a step. Throws a `RangeError` if the step does not fit. */
export function applyStep(step: Step, document: Node): Node {
  const { doc, failed } = step.apply(document);
  if (!doc) throw new RangeError(failed ?? "");
  return doc;
}

/** Returns as many steps as one commit can have. */
export function firstSteps(steps: readonly Step[], before: Node): unknown[] {
  const batch: unknown[] = [];
  let [length, cost, document] = [2, 0, before];
  for (const step of steps.slice(0, draftLimits.steps)) {
    const json = step.toJSON() as unknown;
    length += JSON.stringify(json).length + 1;
    cost += stepCost(document, step);
    if (batch.length > 0 && (length > draftLimits.stepsLength || cost > draftLimits.cost)) break;
    batch.push(json);
    document = step.apply(document).doc ?? document;
  }
  return batch;
}

/**
 * Returns the steps to receive of an own commit that leads from one text to another, each with its client: this page's only for
 * those that it has unconfirmed itself, whatever the commit says. One step sent for several counts as these, which lead to the
 * same text.
 */
export function ownSteps(
  steps: readonly Step[],
  unconfirmed: readonly Step[],
  client: string,
  [before, after]: readonly [Node, Node],
): [readonly Step[], string[]] {
  const other = steps.findIndex((step, at) => !unconfirmed[at] || !sameJson(step, unconfirmed[at]));
  const sentFor = other < 0 ? 0 : countStepsTo(unconfirmed, before, after);
  if (sentFor > 0) return [unconfirmed.slice(0, sentFor), Array<string>(sentFor).fill(client)];
  return [steps, steps.map((_step, at) => (other < 0 || at < other ? client : `${client} before`))];
}

/** Returns how many of the steps lead from one text to another; 0 if none do. */
function countStepsTo(steps: readonly Step[], before: Node, after: Node): number {
  let document = before;
  for (const [at, step] of steps.entries()) {
    document = applyStep(step, document);
    if (document.content.size === after.content.size && document.eq(after)) return at + 1;
  }
  return 0;
}
