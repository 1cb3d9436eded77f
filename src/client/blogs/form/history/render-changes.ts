import { ChangeSet, simplifyChanges } from "prosemirror-changeset";
import { Node, Schema } from "prosemirror-model";
import type { Fragment, Mark } from "prosemirror-model";
import { StepMap } from "prosemirror-transform";
import { marks } from "../../../../shared/document/marks.ts";
import { nodes } from "../../../../shared/document/nodes.ts";
import { schema } from "../../../../shared/document/schema.ts";
import type { NodeJson } from "../../../../shared/document/schema.ts";
import { nodeToHtml } from "../../../../shared/document/to-html.ts";
import { diffBlocks } from "../compare.ts";
import { alignBlocks } from "./align-blocks.ts";

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
  until = performance.now() + maxTimeMs,
): RenderedRun[] {
  return diffBlocks(before.content ?? [], after.content ?? []).flatMap((stretch): RenderedRun[] => {
    if ("same" in stretch) return [{ same: asHtml(stretch.same), count: stretch.same.length }];
    return pairsOf(stretch.before, stretch.after, until).map((pair) => ({
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

function pairsOf(before: NodeJson[], after: NodeJson[], until: number): MarkedBlocks[] {
  return alignBlocks(before, after).map((pair) =>
    pair.before && pair.after && pair.isOne && performance.now() < until
      ? changesWithin(pair.before, pair.after, until)
      : replacement(pair.before, pair.after),
  );
}

function replacement(before: NodeJson | null, after: NodeJson | null): MarkedBlocks {
  const gone = before ? markBlock(before, "deleted") : [];
  const come = after ? markBlock(after, "inserted") : [];
  return { before: gone, after: come, both: [...gone, ...come] };
}

function changesWithin(before: NodeJson, after: NodeJson, until: number): MarkedBlocks {
  const [one, other] = [schema.nodeFromJSON(before), schema.nodeFromJSON(after)];
  const isSameKind = one.hasMarkup(other.type, other.attrs, other.marks);
  if (!isSameKind || one.isLeaf) return replacement(before, after);
  const inner = one.inlineContent
    ? changesInText(one, other)
    : joined(
        diffBlocks(before.content ?? [], after.content ?? []).flatMap((stretch) =>
          "same" in stretch ? [same(stretch.same)] : pairsOf(stretch.before, stretch.after, until),
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
    const gone = textOf(before.content.cut(fromA, toA)).map((node) => markNode(node, "deleted"));
    const come = textOf(after.content.cut(fromB, toB)).map((node) => markNode(node, "inserted"));
    parts.push({ before: gone, after: come, both: [...gone, ...come] });
    at = toB;
  }
  parts.push(same(textOf(after.content.cut(at))));
  return joined(parts);
}

const markNode = (node: NodeJson, way: ChangeKind): NodeJson => ({
  ...node,
  marks: [{ type: way }, ...(node.marks ?? [])],
});

/** Marks a whole block. Parts of lists and tables are marked inside, to keep their structure. */
function markBlock(node: NodeJson, way: ChangeKind): NodeJson[] {
  const content = node.content ?? [];
  if (node.type === "table_row")
    return [{ ...node, content: content.flatMap((cell) => markBlock(cell, way)) }];
  if (node.type === "fold_summary" || node.type === "figure_caption")
    return [{ ...node, content: content.map((one) => markNode(one, way)) }];
  if (["list_item", "task_item", "footnote", "table_cell", "table_header"].includes(node.type))
    return [{ ...node, content: [{ type: `${way}_block`, content }] }];
  return [{ type: `${way}_block`, content: [node] }];
}

const known = new WeakMap<readonly Mark[], string>();
/** Compares letters with their marks, and other nodes with their attributes. */
const tokens = {
  encodeCharacter(letter: number, looks: readonly Mark[]): number | string {
    if (looks.length === 0) return letter;
    let look = known.get(looks);
    if (look === undefined) known.set(looks, (look = JSON.stringify(looks)));
    return `${letter} ${look}`;
  },
  encodeNodeStart: (node: Node): string => JSON.stringify([node.type.name, node.attrs, node.marks]),
  encodeNodeEnd: (): number => -1,
  compareTokens: (one: unknown, other: unknown): boolean => one === other,
};
