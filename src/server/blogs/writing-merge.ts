import { diffArrays } from "diff";
import { Fragment, type Node } from "prosemirror-model";
import { Mapping, ReplaceStep, Transform } from "prosemirror-transform";
import { stepBetween } from "../../shared/document/step-between.ts";

/** Milliseconds for a diff. */
const mostTime = 100;
/** With more changes, all count as one. */
const mostChanges = 200;

/**
 * Merges the changes from `before` to `after` into `written`, which began with `before`; `after` wins conflicts. Returns null
 * without changes.
 */
export function mergeChanges(
  written: Node,
  before: Node,
  after: Node,
): { document: Node; steps: unknown[] } | null {
  const changes = stepsBetween(before, after);
  if (changes.length === 0) return null;
  // From the last to the first: so each step's positions remain valid.
  const since = new Mapping(
    stepsBetween(before, written)
      .toReversed()
      .map((step) => step.getMap()),
  );
  const tr = new Transform(written);
  for (const change of changes.toReversed()) {
    const at = since.map(change.from);
    // Its place was deleted: blocks can still be inserted there, words within a block cannot.
    apply(tr, change.map(since) ?? new ReplaceStep(at, at, change.slice));
  }
  return tr.docChanged ? { document: tr.doc, steps: tr.steps.map((step) => step.toJSON() as unknown) } : null;
}

function apply(tr: Transform, step: ReplaceStep): void {
  try {
    tr.maybeStep(step);
  } catch (error) {
    // A misfit may also return a failed result.
    if (!(error instanceof RangeError)) throw error;
  }
}

/** Returns the steps from one document to the other, in order, each positioned in `one`. */
function stepsBetween(one: Node, other: Node): ReplaceStep[] {
  const whole = stepBetween(one, other);
  if (!whole) return [];
  const [left, right] = [one.children, other.children];
  const keys = (list: readonly Node[]) => list.map((block) => JSON.stringify(block));
  const parts = diffArrays(keys(left), keys(right), { timeout: mostTime });
  if (!parts) return [whole];
  const found: [from: number, to: number, blocks: readonly Node[]][] = [];
  let [at, there] = [0, 0];
  let open = [0, 0];
  const close = () => {
    const [gone, come] = open as [number, number];
    open = [0, 0];
    // Equal numbers: each block was changed, so compare them one by one.
    if (gone === come)
      for (let index = 0; index < gone; index++)
        found.push([at - gone + index, at - gone + index + 1, [right[there - come + index]!]]);
    else found.push([at - gone, at, right.slice(there - come, there)]);
  };
  for (const { removed, added, value } of parts) {
    if (removed) [at, open] = [at + value.length, [open[0]! + value.length, open[1]!]];
    else if (added) [there, open] = [there + value.length, [open[0]!, open[1]! + value.length]];
    else {
      close();
      [at, there] = [at + value.length, there + value.length];
    }
  }
  close();
  if (found.length > mostChanges) return [whole];
  return found.flatMap(([from, to, blocks]) => {
    const changed = one.copy(Fragment.from([...left.slice(0, from), ...blocks, ...left.slice(to)]));
    const step = stepBetween(one, changed);
    return step ? [step] : [];
  });
}
