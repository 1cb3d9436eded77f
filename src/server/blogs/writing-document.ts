import { LRUCache } from "lru-cache";
import type { Node } from "prosemirror-model";
import { Mapping, Step } from "prosemirror-transform";
import { documentLimits as limits } from "../../shared/document/limits.ts";
import { RefusedValue } from "../../shared/document/document-error.ts";
import { schema } from "../../shared/document/schema.ts";
import { AppError } from "../../shared/errors.ts";
import { lastPosition, writingLimits } from "../../shared/writing.ts";
import { FinishedBlocks } from "./finished-blocks.ts";

const refused = (message: string, cause?: unknown) =>
  new AppError("bad_request", message, { field: "steps", cause });
const noSteps = "This site can’t store these changes.";
const noFit = "These changes don’t match the current text.";

/** Steps of a commit from their JSON. Throws `bad_request` where they are none, or too many. */
export function readSteps(text: string): Step[] {
  let sent: unknown;
  try {
    sent = JSON.parse(text);
  } catch (cause) {
    throw refused(noSteps, cause);
  }
  if (!Array.isArray(sent)) throw refused(noSteps);
  if (sent.length > writingLimits.steps)
    throw refused(`A commit can have up to ${writingLimits.steps} steps. Please send several.`);
  try {
    return sent.map((one: unknown) => Step.fromJSON(schema, one));
  } catch (cause) {
    if (cause instanceof RefusedValue) throw refused(cause.message, cause);
    if (cause instanceof RangeError || cause instanceof TypeError) throw refused(noSteps, cause);
    throw cause;
  }
}

/** The document after these steps, which is one of ours as far as they changed it. Throws `bad_request` otherwise. */
export function applySteps(before: Node, steps: readonly Step[]): Node {
  let document = before;
  const touched: { from: number; to: number; at: number }[] = [];
  const mapping = new Mapping();
  try {
    for (const step of steps) {
      const { doc, failed } = step.apply(document);
      if (!doc) throw refused(noFit, failed);
      const { from, to, pos } = step as Step & { from?: number; to?: number; pos?: number };
      const start = from ?? pos ?? 0;
      touched.push({
        from: start,
        to: to ?? (pos === undefined ? document.content.size : pos + 1),
        at: mapping.maps.length,
      });
      mapping.appendMap(step.getMap());
      document = doc;
    }
    const ends = touched.map(({ from, to, at }) => {
      const since = mapping.slice(at);
      return [since.map(from, -1), since.map(to, 1)] as const;
    });
    if (ends.length > 0)
      checkBetween(document, Math.min(...ends.map(([from]) => from)), Math.max(...ends.map(([, to]) => to)));
  } catch (cause) {
    if (cause instanceof RefusedValue) throw refused(cause.message, cause);
    // What ProseMirror says is for developers.
    if (cause instanceof RangeError || cause instanceof TypeError) throw refused(noFit, cause);
    throw cause;
  }
  return document;
}

/** What is checked of each commit: the blocks that it changed. All of the text is, whenever it is saved (`checkDocument`). */
function checkBetween(document: Node, from: number, to: number): void {
  if (!document.type.validContent(document.content)) throw new RefusedValue(noFit);
  if (document.nodeSize > lastPosition || document.childCount > limits.nodes)
    throw new RefusedValue("This text is too long to save.");
  document.nodesBetween(
    Math.max(0, from - 1),
    Math.min(document.content.size, to + 1),
    (node, _pos, parent) => {
      if (parent !== document) return false;
      node.check();
      if (heightOf(node) >= limits.depth)
        throw new RefusedValue(
          `This text is nested too deeply. Lists, quotes and tables can be up to ${limits.depth} levels inside each other.`,
        );
      return false;
    },
  );
}

function heightOf(node: Node): number {
  let inside = 0;
  node.forEach((child) => {
    if (child.text?.includes("\u0000")) throw new RefusedValue(noSteps);
    inside = Math.max(inside, heightOf(child));
  });
  return 1 + inside;
}

/** Working copies in memory, each as it is after one commit: most commits come soon after another. */
export class WritingDocuments {
  /** Of those that are written live, what of them is finished. */
  readonly finished = new FinishedBlocks();
  readonly #kept = new LRUCache<string, { head: string; document: Node }>({
    max: 200,
    maxSize: 4_000_000,
    sizeCalculation: ({ document }) => document.nodeSize,
  });

  /** The document after the commit of that name. */
  of(blogId: string, head: string): Node | undefined {
    const kept = this.#kept.get(blogId);
    return kept?.head === head ? kept.document : undefined;
  }

  /** As after a restart. */
  forget(): void {
    this.finished.forget();
    this.#kept.clear();
  }

  keep(blogId: string, head: string, document: Node): void {
    this.#kept.set(blogId, { head, document });
  }
}
