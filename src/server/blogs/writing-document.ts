import { LRUCache } from "lru-cache";
import type { Node } from "prosemirror-model";
import { Mapping, Step } from "prosemirror-transform";
import { documentLimits as limits } from "../../shared/document/limits.ts";
import { RefusedValue } from "../../shared/document/document-error.ts";
import { schema } from "../../shared/document/schema.ts";
import { AppError } from "../../shared/errors.ts";
import { lastPosition, writingLimits } from "../../shared/writing.ts";
import { FinishedBlocks } from "./finished-blocks.ts";

const rejected = (message: string, cause?: unknown) =>
  new AppError("bad_request", message, { field: "steps", cause });
const noSteps = "This site can’t store these changes.";
const noFit = "These changes don’t match the current text.";

/** Parses the steps of a commit. Throws `bad_request` if invalid or too many. */
export function readSteps(text: string): Step[] {
  let sent: unknown;
  try {
    sent = JSON.parse(text);
  } catch (cause) {
    throw rejected(noSteps, cause);
  }
  if (!Array.isArray(sent)) throw rejected(noSteps);
  if (sent.length > writingLimits.steps)
    throw rejected(`A commit can have up to ${writingLimits.steps} steps. Please send several.`);
  try {
    return sent.map((step: unknown) => Step.fromJSON(schema, step));
  } catch (cause) {
    if (cause instanceof RefusedValue) throw rejected(cause.message, cause);
    if (cause instanceof RangeError || cause instanceof TypeError) throw rejected(noSteps, cause);
    throw cause;
  }
}

/** Applies steps and checks the changed blocks. Throws `bad_request`. */
export function applySteps(before: Node, steps: readonly Step[]): Node {
  let document = before;
  const changes: { from: number; to: number; at: number }[] = [];
  const mapping = new Mapping();
  try {
    for (const step of steps) {
      const { doc, failed } = step.apply(document);
      if (!doc) throw rejected(noFit, failed);
      const { from, to, pos } = step as Step & { from?: number; to?: number; pos?: number };
      const start = from ?? pos ?? 0;
      changes.push({
        from: start,
        to: to ?? (pos === undefined ? document.content.size : pos + 1),
        at: mapping.maps.length,
      });
      mapping.appendMap(step.getMap());
      document = doc;
    }
    const ends = changes.map(({ from, to, at }) => {
      const mappingAfter = mapping.slice(at);
      return [mappingAfter.map(from, -1), mappingAfter.map(to, 1)] as const;
    });
    if (ends.length > 0)
      checkBetween(document, Math.min(...ends.map(([from]) => from)), Math.max(...ends.map(([, to]) => to)));
  } catch (cause) {
    if (cause instanceof RefusedValue) throw rejected(cause.message, cause);
    // ProseMirror's messages are for developers.
    if (cause instanceof RangeError || cause instanceof TypeError) throw rejected(noFit, cause);
    throw cause;
  }
  return document;
}

/** Checks the changed blocks; a save checks the whole text (`checkDocument`). */
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
  let maxHeight = 0;
  node.forEach((child) => {
    if (child.text?.includes("\u0000")) throw new RefusedValue(noSteps);
    maxHeight = Math.max(maxHeight, heightOf(child));
  });
  return 1 + maxHeight;
}

/** A cache of working copies after their last commit, since commits come in quick succession. */
export class WritingDocuments {
  readonly finished = new FinishedBlocks();
  readonly #cache = new LRUCache<string, { head: string; document: Node }>({
    max: 200,
    maxSize: 4_000_000,
    sizeCalculation: ({ document }) => document.nodeSize,
  });

  /** Returns the document after commit `head`, if cached. */
  get(blogId: string, head: string): Node | undefined {
    const cached = this.#cache.get(blogId);
    return cached?.head === head ? cached.document : undefined;
  }

  forget(): void {
    this.finished.forget();
    this.#cache.clear();
  }

  set(blogId: string, head: string, document: Node): void {
    this.#cache.set(blogId, { head, document });
  }
}
