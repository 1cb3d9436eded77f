import { diffArrays } from "diff";
import { Fragment, type Node } from "prosemirror-model";
import { Mapping, ReplaceStep, Transform, type Step } from "prosemirror-transform";
import { stepBetween } from "../../shared/document/steps.ts";
import type { DraftFields } from "../../shared/drafts.ts";
import { sameJson } from "../../shared/same-json.ts";
import type { Transaction } from "../database/writer.ts";
import { documentOf, siteCommit, storeCommit, type Writer } from "./commits.ts";
import { fieldsOfBlog, textOfBlog } from "./draft-fields.ts";
import { draftOf, type DraftHead } from "./queries.ts";
import { markSaved } from "./drafts.ts";
import { blogFactsById } from "../blogs/queries.ts";

/** Milliseconds for a diff. */
const mostTime = 100;
/** With more changes, all count as one. */
const mostChanges = 200;

/**
 * Merges the changes from `before` to `after` into `current`, which began with `before`; `after` wins conflicts. Returns null
 * without changes.
 */
export function mergeChanges(
  current: Node,
  before: Node,
  after: Node,
): { document: Node; steps: readonly Step[] } | null {
  const changes = stepsBetween(before, after);
  if (changes.length === 0) return null;
  // From the last to the first: so each step's positions remain valid.
  const unsavedMapping = new Mapping(
    stepsBetween(before, current)
      .toReversed()
      .map((step) => step.getMap()),
  );
  const tr = new Transform(current);
  for (const change of changes.toReversed()) {
    const at = unsavedMapping.map(change.from);
    // Its place was deleted: blocks can still be inserted there, words within a block cannot.
    apply(tr, change.map(unsavedMapping) ?? new ReplaceStep(at, at, change.slice));
  }
  return tr.docChanged ? { document: tr.doc, steps: tr.steps } : null;
}

function apply(tr: Transform, step: ReplaceStep): void {
  try {
    tr.maybeStep(step);
  } catch (error) {
    // A misfit may also return a failed result.
    if (!(error instanceof RangeError)) throw error;
  }
}

/** Returns the steps from one document to the other, in order, each positioned in `before`. */
function stepsBetween(before: Node, after: Node): ReplaceStep[] {
  const wholeStep = stepBetween(before, after);
  if (!wholeStep) return [];
  const [oldBlocks, newBlocks] = [before.children, after.children];
  const keys = (list: readonly Node[]) => list.map((block) => JSON.stringify(block));
  const parts = diffArrays(keys(oldBlocks), keys(newBlocks), { timeout: mostTime });
  if (!parts) return [wholeStep];
  const replacements: [from: number, to: number, blocks: readonly Node[]][] = [];
  let [oldIndex, newIndex] = [0, 0];
  let open = [0, 0];
  const closeRun = () => {
    const [removedCount, addedCount] = open as [number, number];
    open = [0, 0];
    // Equal numbers: each block was changed, so compare them one by one.
    if (removedCount === addedCount)
      for (let index = 0; index < removedCount; index++)
        replacements.push([
          oldIndex - removedCount + index,
          oldIndex - removedCount + index + 1,
          [newBlocks[newIndex - addedCount + index]!],
        ]);
    else
      replacements.push([
        oldIndex - removedCount,
        oldIndex,
        newBlocks.slice(newIndex - addedCount, newIndex),
      ]);
  };
  for (const { removed, added, value } of parts) {
    if (removed) [oldIndex, open] = [oldIndex + value.length, [open[0]! + value.length, open[1]!]];
    else if (added) [newIndex, open] = [newIndex + value.length, [open[0]!, open[1]! + value.length]];
    else {
      closeRun();
      [oldIndex, newIndex] = [oldIndex + value.length, newIndex + value.length];
    }
  }
  closeRun();
  if (replacements.length > mostChanges) return [wholeStep];
  return replacements.flatMap(([from, to, blocks]) => {
    const changed = before.copy(
      Fragment.from([...oldBlocks.slice(0, from), ...blocks, ...oldBlocks.slice(to)]),
    );
    const step = stepBetween(before, changed);
    return step ? [step] : [];
  });
}

/** What readers saw before a program changed it; without a document, it did not change the text. */
interface ReadBefore {
  fields: DraftFields;
  document: Node | undefined;
}

/** Merges a program's change of what readers see into the draft, beside its unpublished changes; the later change of a field wins. */
export async function mergeIntoDraft(
  ctx: Writer,
  tx: Transaction,
  row: DraftHead,
  before: ReadBefore,
): Promise<void> {
  const blog = await blogFactsById(tx, row.blogId, null);
  const latest = await draftOf(tx, row.blogId);
  if (!blog || !latest) return;
  const fields = await fieldsOfBlog(tx, blog);
  const changed = Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) =>
        !sameJson(value, before.fields[name as keyof DraftFields]) &&
        !sameJson(value, latest.fields[name as keyof DraftFields]),
    ),
  );
  const current = await documentOf(ctx, tx, latest);
  const merged = before.document && mergeChanges(current, before.document, await textOfBlog(tx, blog));
  const hasChange = merged || Object.keys(changed).length > 0;
  const commit = siteCommit(merged?.steps, changed);
  const seq = hasChange
    ? await storeCommit(ctx, tx, latest, merged?.document ?? current, commit)
    : latest.seq;
  // Unpublished changes remain unpublished. A published blog keeps its address, whatever its title.
  const savedSeq = latest.savedSeq === latest.seq ? seq : latest.savedSeq;
  await markSaved(tx, { ...latest, seq }, savedSeq, { namedFor: null });
}

/** Commits the changes from one document of a draft to another, in its current text. */
export async function commitMerged(
  ctx: Writer,
  tx: Transaction,
  row: DraftHead,
  before: Node,
  after: Node,
): Promise<void> {
  const merged = mergeChanges(await documentOf(ctx, tx, row), before, after);
  if (merged) await storeCommit(ctx, tx, row, merged.document, siteCommit(merged.steps));
}
