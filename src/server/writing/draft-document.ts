import type { Node } from "prosemirror-model";
import { Step } from "prosemirror-transform";
import { documentLimits as limits } from "../../shared/document/limits.ts";
import { RefusedValue } from "../../shared/document/document-error.ts";
import { schema, type NodeJson } from "../../shared/document/schema.ts";
import { stepCost } from "../../shared/document/steps.ts";
import { countWords, documentToText, excerpt } from "../../shared/document/to-text.ts";
import { AppError } from "../../shared/errors.ts";
import { lastPosition, draftLimits } from "../../shared/drafts.ts";
import { cacheMemory, type Cache } from "../runtime/cache.ts";

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
  if (sent.length > draftLimits.steps)
    throw rejected(`A commit can have up to ${draftLimits.steps} steps. Please send several.`);
  try {
    return sent.map((step: unknown) => Step.fromJSON(schema, step));
  } catch (cause) {
    if (cause instanceof RefusedValue) throw rejected(cause.message, cause);
    if (cause instanceof RangeError || cause instanceof TypeError) throw rejected(noSteps, cause);
    throw cause;
  }
}

/**
 * Applies steps and checks the changed blocks, adding to `work`. Throws `bad_request`, also if they need more work than one commit
 * may.
 */
export function applySteps(before: Node, steps: readonly Step[], work = { cost: 0 }): Node {
  let document = before;
  let [start, end] = [Number.POSITIVE_INFINITY, -1];
  try {
    for (const step of steps) {
      work.cost += stepCost(document, step);
      if (work.cost > draftLimits.cost) throw rejected("These are too many changes at once.");
      const { doc, failed } = step.apply(document);
      if (!doc) throw rejected(noFit, failed);
      const { from, to, pos } = step as Step & { from?: number; to?: number; pos?: number };
      const map = step.getMap();
      start = map.map(Math.min(start, from ?? pos ?? 0), -1);
      end = map.map(Math.max(end, to ?? (pos === undefined ? document.content.size : pos + 1)), 1);
      document = doc;
    }
    if (end >= 0) checkBetween(before, document, start, end);
  } catch (cause) {
    if (cause instanceof RefusedValue) throw rejected(cause.message, cause);
    // ProseMirror's messages are for developers.
    if (cause instanceof RangeError || cause instanceof TypeError) throw rejected(noFit, cause);
    throw cause;
  }
  return document;
}

/** The most characters of a text's JSON: more than a save takes, so that a pasted text can be shortened. */
const mostJson = 2 * limits.jsonBytes;

/** Checks the changed blocks; a save checks the whole text (`checkDocument`). */
function checkBetween(before: Node, document: Node, from: number, to: number): void {
  if (!document.type.validContent(document.content)) throw new RefusedValue(noFit);
  const isTooLong =
    document.nodeSize > lastPosition || document.childCount > limits.nodes || jsonLength(document) > mostJson;
  // One that is too long already can be shortened.
  if (isTooLong && jsonLength(document) >= jsonLength(before))
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

/** Of unchanged nodes, which a text shares with the one before a commit. */
const jsonLengths = new WeakMap<Node, number>();

/** Returns about the length of a node as JSON: marks may make it much longer than the text. */
function jsonLength(node: Node): number {
  if (node.isLeaf) return JSON.stringify(node).length;
  let length = jsonLengths.get(node);
  if (length === undefined) {
    length = JSON.stringify(node.attrs).length + node.type.name.length + 35;
    for (const child of node.children) length += jsonLength(child);
    jsonLengths.set(node, length);
  }
  return length;
}

function heightOf(node: Node): number {
  let maxHeight = 0;
  node.forEach((child) => {
    if (child.text?.includes("\u0000")) throw new RefusedValue(noSteps);
    maxHeight = Math.max(maxHeight, heightOf(child));
  });
  return 1 + maxHeight;
}

/** Characters of an excerpt, and of the blocks read for it. */
const [excerptLength, mostRead] = [220, 1_000];

/** Words of unchanged blocks, which a text shares with the one before a commit. */
const wordsOfBlocks = new WeakMap<Node, number>();

/** Returns what lists show of an unpublished text. Costs what its changed blocks have, not the whole text. */
export function beginningOf(document: Node): { excerpt: string; words: number } {
  const first: NodeJson[] = [];
  let [length, words] = [0, 0];
  for (const block of document.children) {
    if (length < mostRead) first.push(block.toJSON() as NodeJson);
    length += block.nodeSize;
    let count = wordsOfBlocks.get(block);
    if (count === undefined) {
      count = countWords(documentToText(block.toJSON() as NodeJson));
      wordsOfBlocks.set(block, count);
    }
    words += count;
  }
  return { excerpt: excerpt({ type: "doc", content: first }, excerptLength), words };
}

interface CachedDraft {
  head: string;
  document: Node;
  work: number;
}

/** Bytes of a position of a document: a character, or the begin or end of a node. */
const positionSize = 16;

const openDrafts = (): Cache<CachedDraft> =>
  cacheMemory.open({ sizeOf: ({ document }) => positionSize * document.nodeSize });

/** A cache of drafts after their last commit, since commits come in quick succession. */
export class DraftDocuments {
  #cache = openDrafts();

  /** Returns the document after commit `head`, and the work to make it from the stored one, if cached. */
  get(blogId: string, head: string): { document: Node; work: number } | undefined {
    const cached = this.#cache.get(blogId);
    return cached?.head === head ? cached : undefined;
  }

  forget(): void {
    this.#cache = openDrafts();
  }

  set(blogId: string, head: string, document: Node, work: number): void {
    this.#cache.set(blogId, { head, document, work });
  }
}
