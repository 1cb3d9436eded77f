import { ChangeSet, simplifyChanges } from "prosemirror-changeset";
import { Node, Schema } from "prosemirror-model";
import type { Fragment, Mark } from "prosemirror-model";
import { StepMap } from "prosemirror-transform";
import { marks } from "../../../../shared/document/marks.ts";
import { nodes } from "../../../../shared/document/nodes.ts";
import { schema } from "../../../../shared/document/schema.ts";
import type { NodeJson } from "../../../../shared/document/schema.ts";
import { nodeToHtml } from "../../../../shared/document/to-html.ts";
import { stretches } from "../compare-rules.ts";
import { aligned } from "./aligned.ts";

/* What changed between two texts, drawn into them: what is gone in <del>, what has come in <ins>. */

type Way = "deleted" | "inserted";
/** Blocks as they were, as they are, and both in one, with what differs marked. */
interface Marked {
  before: NodeJson[];
  after: NodeJson[];
  both: NodeJson[];
}

/** A stretch of two texts, top to bottom: so many blocks that are the same, or one that differs. As HTML. */
export type Drawn = { same: string; count: number } | { before: string; after: string; both: string };

const spec = (tag: "del" | "ins") => () => [tag, 0] as const;
/** The site's texts with these two around blocks, and around what stands within one. */
const marking = new Schema({
  nodes: {
    ...nodes,
    deleted_block: { content: "block+", toDOM: () => ["del", { class: "change-block" }, 0] },
    inserted_block: { content: "block+", toDOM: () => ["ins", { class: "change-block" }, 0] },
  },
  marks: { deleted: { toDOM: spec("del") }, inserted: { toDOM: spec("ins") }, ...marks },
});

/** Milliseconds after which blocks are no longer looked into: one that differs is then another one. */
const longest = 1_500;

/** Two texts beside each other. */
export function drawChanges(before: NodeJson, after: NodeJson, until = performance.now() + longest): Drawn[] {
  return stretches(before.content ?? [], after.content ?? []).flatMap((stretch): Drawn[] => {
    if ("same" in stretch) return [{ same: asHtml(stretch.same), count: stretch.same.length }];
    return pairsOf(stretch.before, stretch.after, until).map((pair) => ({
      before: asHtml(pair.before),
      after: asHtml(pair.after),
      both: asHtml(pair.both),
    }));
  });
}

/** A text as the page shows it. */
export const drawText = (document: NodeJson): string => asHtml(document.content ?? []);

const asHtml = (content: NodeJson[]): string =>
  content.length === 0
    ? ""
    : nodeToHtml(Node.fromJSON(marking, { type: "doc", content }), { headingIds: false });

/** What is the same is in all three as it is. */
const same = (blocks: NodeJson[]): Marked => ({ before: blocks, after: blocks, both: blocks });

function pairsOf(before: NodeJson[], after: NodeJson[], until: number): Marked[] {
  return aligned(before, after).map((pair) =>
    pair.before && pair.after && pair.isOne && performance.now() < until
      ? within(pair.before, pair.after, until)
      : inPlaceOf(pair.before, pair.after),
  );
}

function inPlaceOf(before: NodeJson | null, after: NodeJson | null): Marked {
  const gone = before ? whole(before, "deleted") : [];
  const come = after ? whole(after, "inserted") : [];
  return { before: gone, after: come, both: [...gone, ...come] };
}

/** Of one block that was written otherwise, what within it is. */
function within(before: NodeJson, after: NodeJson, until: number): Marked {
  const [one, other] = [schema.nodeFromJSON(before), schema.nodeFromJSON(after)];
  const isSameKind = one.hasMarkup(other.type, other.attrs, other.marks);
  if (!isSameKind || one.isLeaf) return inPlaceOf(before, after);
  const inner = one.inlineContent
    ? inText(one, other)
    : joined(
        stretches(before.content ?? [], after.content ?? []).flatMap((stretch) =>
          "same" in stretch ? [same(stretch.same)] : pairsOf(stretch.before, stretch.after, until),
        ),
      );
  return {
    before: [{ ...before, content: inner.before }],
    after: [{ ...after, content: inner.after }],
    both: [{ ...after, content: inner.both }],
  };
}

const joined = (parts: Marked[]): Marked => ({
  before: parts.flatMap(({ before }) => before),
  after: parts.flatMap(({ after }) => after),
  both: parts.flatMap(({ both }) => both),
});

const textOf = (content: Fragment): NodeJson[] => (content.toJSON() as NodeJson[] | null) ?? [];

function inText(before: Node, after: Node): Marked {
  const changed = ChangeSet.create<null>(before, undefined, tokens).addSteps(
    after,
    [new StepMap([0, before.content.size, after.content.size])],
    null,
  );
  const parts: Marked[] = [];
  let at = 0;
  for (const { fromA, toA, fromB, toB } of simplifyChanges(changed.changes, after)) {
    parts.push(same(textOf(after.content.cut(at, fromB))));
    const gone = textOf(before.content.cut(fromA, toA)).map((node) => marked(node, "deleted"));
    const come = textOf(after.content.cut(fromB, toB)).map((node) => marked(node, "inserted"));
    parts.push({ before: gone, after: come, both: [...gone, ...come] });
    at = toB;
  }
  parts.push(same(textOf(after.content.cut(at))));
  return joined(parts);
}

const marked = (node: NodeJson, way: Way): NodeJson => ({
  ...node,
  marks: [{ type: way }, ...(node.marks ?? [])],
});

/** A block that is all gone, or has all come. What has its place in a list or a table says so within. */
function whole(node: NodeJson, way: Way): NodeJson[] {
  const content = node.content ?? [];
  if (node.type === "table_row") return [{ ...node, content: content.flatMap((cell) => whole(cell, way)) }];
  if (node.type === "fold_summary" || node.type === "figure_caption")
    return [{ ...node, content: content.map((one) => marked(one, way)) }];
  if (["list_item", "task_item", "footnote", "table_cell", "table_header"].includes(node.type))
    return [{ ...node, content: [{ type: `${way}_block`, content }] }];
  return [{ type: `${way}_block`, content: [node] }];
}

const known = new WeakMap<readonly Mark[], string>();
/** By letters and how they look, and by all that a picture is. */
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
