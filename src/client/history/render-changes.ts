import { ChangeSet, simplifyChanges } from "prosemirror-changeset";
import { Node, Schema } from "prosemirror-model";
import type { Fragment, Mark } from "prosemirror-model";
import { StepMap } from "prosemirror-transform";
import { marks } from "../../shared/document/marks.ts";
import { nodes } from "../../shared/document/blocks.ts";
import { schema } from "../../shared/document/schema.ts";
import type { NodeJson } from "../../shared/document/schema.ts";
import { nodeToHtml } from "../../shared/document/to-html.ts";
import { alignBlocks } from "./align-blocks.ts";
import { diffBlocks } from "./differences.ts";

/* Renders the changes between two texts with <del> and <ins>. */

type ChangeKind = "deleted" | "inserted";
/** Blocks before, after, and both in one, with differences marked. */
interface MarkedBlocks {
  before: NodeJson[];
  after: NodeJson[];
  both: NodeJson[];
}

/** A run of two texts as HTML: `count` equal blocks, or one that differs. */
export type RenderedRun = { same: string; count: number } | { before: string; after: string; both: string };

const spec = (tag: "del" | "ins") => () => [tag, 0] as const;
/** The document schema with <del> and <ins> around blocks and inline content. */
const changeSchema = new Schema({
  nodes: {
    ...nodes,
    deleted_block: { content: "block+", toDOM: () => ["del", { class: "change-block" }, 0] },
    inserted_block: { content: "block+", toDOM: () => ["ins", { class: "change-block" }, 0] },
  },
  marks: { deleted: { toDOM: spec("del") }, inserted: { toDOM: spec("ins") }, ...marks },
});

/** Milliseconds after which edited blocks are shown as replaced, not compared inside. */
const maxTimeMs = 1_500;

/** Compares two texts and renders their runs. */
export function renderChanges(
  before: NodeJson,
  after: NodeJson,
  deadline = performance.now() + maxTimeMs,
): RenderedRun[] {
  return diffBlocks(before.content ?? [], after.content ?? []).flatMap((run): RenderedRun[] => {
    if ("same" in run) return [{ same: asHtml(run.same), count: run.same.length }];
    return pairsOf(run.before, run.after, deadline).map((pair) => ({
      before: asHtml(pair.before),
      after: asHtml(pair.after),
      both: asHtml(pair.both),
    }));
  });
}

export const renderText = (document: NodeJson): string => asHtml(document.content ?? []);

const asHtml = (content: NodeJson[]): string =>
  content.length === 0
    ? ""
    : nodeToHtml(Node.fromJSON(changeSchema, { type: "doc", content }), { headingIds: false });

const same = (blocks: NodeJson[]): MarkedBlocks => ({ before: blocks, after: blocks, both: blocks });

function pairsOf(before: NodeJson[], after: NodeJson[], deadline: number): MarkedBlocks[] {
  return alignBlocks(before, after).map((pair) =>
    pair.before && pair.after && pair.isOne && performance.now() < deadline
      ? changesWithin(pair.before, pair.after, deadline)
      : replacement(pair.before, pair.after),
  );
}

function replacement(before: NodeJson | null, after: NodeJson | null): MarkedBlocks {
  const removed = before ? markBlock(before, "deleted") : [];
  const added = after ? markBlock(after, "inserted") : [];
  return { before: removed, after: added, both: [...removed, ...added] };
}

function changesWithin(before: NodeJson, after: NodeJson, deadline: number): MarkedBlocks {
  const [one, other] = [schema.nodeFromJSON(before), schema.nodeFromJSON(after)];
  const isSameKind = one.hasMarkup(other.type, other.attrs, other.marks);
  if (!isSameKind || one.isLeaf) return replacement(before, after);
  const inner = one.inlineContent
    ? changesInText(one, other)
    : joined(
        diffBlocks(before.content ?? [], after.content ?? []).flatMap((run) =>
          "same" in run ? [same(run.same)] : pairsOf(run.before, run.after, deadline),
        ),
      );
  return {
    before: [{ ...before, content: inner.before }],
    after: [{ ...after, content: inner.after }],
    both: [{ ...after, content: inner.both }],
  };
}

const joined = (parts: MarkedBlocks[]): MarkedBlocks => ({
  before: parts.flatMap(({ before }) => before),
  after: parts.flatMap(({ after }) => after),
  both: parts.flatMap(({ both }) => both),
});

const textOf = (content: Fragment): NodeJson[] => (content.toJSON() as NodeJson[] | null) ?? [];

function changesInText(before: Node, after: Node): MarkedBlocks {
  const changed = ChangeSet.create<null>(before, undefined, tokens).addSteps(
    after,
    [new StepMap([0, before.content.size, after.content.size])],
    null,
  );
  const parts: MarkedBlocks[] = [];
  let at = 0;
  for (const { fromA, toA, fromB, toB } of simplifyChanges(changed.changes, after)) {
    parts.push(same(textOf(after.content.cut(at, fromB))));
    const removed = textOf(before.content.cut(fromA, toA)).map((node) => markNode(node, "deleted"));
    const added = textOf(after.content.cut(fromB, toB)).map((node) => markNode(node, "inserted"));
    parts.push({ before: removed, after: added, both: [...removed, ...added] });
    at = toB;
  }
  parts.push(same(textOf(after.content.cut(at))));
  return joined(parts);
}

const markNode = (node: NodeJson, kind: ChangeKind): NodeJson => ({
  ...node,
  marks: [{ type: kind }, ...(node.marks ?? [])],
});

/** Marks a whole block. Parts of lists and tables are marked inside, to keep their structure. */
function markBlock(node: NodeJson, kind: ChangeKind): NodeJson[] {
  const content = node.content ?? [];
  if (node.type === "table_row")
    return [{ ...node, content: content.flatMap((cell) => markBlock(cell, kind)) }];
  if (node.type === "fold_summary" || node.type === "figure_caption")
    return [{ ...node, content: content.map((one) => markNode(one, kind)) }];
  if (["list_item", "task_item", "footnote", "table_cell", "table_header"].includes(node.type))
    return [{ ...node, content: [{ type: `${kind}_block`, content }] }];
  return [{ type: `${kind}_block`, content: [node] }];
}

const markKeys = new WeakMap<readonly Mark[], string>();
/** Compares letters with their marks, and other nodes with their attributes. */
const tokens = {
  encodeCharacter(letter: number, nodeMarks: readonly Mark[]): number | string {
    if (nodeMarks.length === 0) return letter;
    let markKey = markKeys.get(nodeMarks);
    if (markKey === undefined) markKeys.set(nodeMarks, (markKey = JSON.stringify(nodeMarks)));
    return `${letter} ${markKey}`;
  },
  encodeNodeStart: (node: Node): string => JSON.stringify([node.type.name, node.attrs, node.marks]),
  encodeNodeEnd: (): number => -1,
  compareTokens: (one: unknown, other: unknown): boolean => one === other,
};
