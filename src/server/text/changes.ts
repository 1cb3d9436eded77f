import { hash } from "node:crypto";
import { diffArrays } from "diff";
import { LRUCache } from "lru-cache";
import type { TextChange } from "../../shared/blogs.ts";
import { blocksOf } from "../../shared/document/top-level-blocks.ts";
import { limits } from "../../shared/limits.ts";
import { shared } from "../runtime/concurrency.ts";
import { DerivedTexts } from "../runtime/derived-texts.ts";
import { isColored } from "./render-html.ts";

/** The longest run of differing blocks that is diffed; beyond it all are new. */
const mostDifferent = 200;

/** Identifies a text by its stored HTML, however it is rendered. */
export const digestOf = (html: string | Buffer): string => hash("sha1", html, "base64url").slice(0, 12);

/** Block hashes of replaced texts by the digest of the whole; none of their words. */
const before = new LRUCache<string, Float64Array>({
  maxSize: 1_000_000,
  sizeCalculation: (hashes) => hashes.length + 20,
});

const hashOf = (block: string): number => hash("sha1", block, "buffer").readUIntBE(0, 6);

/** Stores the block hashes of a text before it is replaced. Returns its digest. */
export function storeBlockHashes(html: string): string {
  const digest = digestOf(html);
  if (!before.has(digest)) before.set(digest, Float64Array.from(blocksOf(html), hashOf));
  return digest;
}

/** A change from one text to another, and, once it was made, as pages show it. */
interface KnownChange {
  change: TextChange;
  bytes: number;
  rendered?: TextChange;
  rendering?: Promise<TextChange> | undefined;
}
/** Comparing the longest texts takes tens of milliseconds, and many readers of one text ask for the same change. */
const changes = new DerivedTexts<KnownChange>(({ bytes }) => 3 * bytes);

/** Returns the change from a text with that digest, if known. Contains nothing of the old text. */
export async function changeFrom(from: string, html: string): Promise<KnownChange | undefined> {
  const previousHashes = before.get(from);
  const to = digestOf(html);
  if (from === to) return { change: { from, to, blocks: null }, bytes: 0 };
  if (!previousHashes) return undefined;
  return changes.of(from, to, async () => {
    const change = { from, to, blocks: steps([...previousHashes], blocksOf(html)) };
    return { change, bytes: Buffer.byteLength(JSON.stringify(change)) };
  });
}

/** Renders stored HTML for pages, block for block. */
export type RenderHtml = (html: string) => Promise<string>;

/** Returns a change, or a short text as a whole, as sent to pages; null if too long. Renders at most once. */
export async function textChange(
  from: string | undefined,
  html: string,
  renderHtml: RenderHtml,
): Promise<TextChange | null> {
  // Rendering only makes it longer.
  const known = from === undefined ? undefined : await changeFrom(from, html);
  if ((known ? known.bytes : Buffer.byteLength(html)) > limits.live.message) return null;
  const rendered = known
    ? await renderChange(known, renderHtml)
    : { from: null, to: digestOf(html), blocks: [await renderHtml(html)] };
  return isTooLong(rendered) ? null : rendered;
}

const isTooLong = (change: TextChange): boolean =>
  Buffer.byteLength(JSON.stringify(change)) > limits.live.message;

/** Renders a change's new blocks, once for all readers. */
export async function renderChange(known: KnownChange, renderHtml: RenderHtml): Promise<TextChange> {
  const { change, rendered, rendering } = known;
  if (rendered) return rendered;
  if (rendering) return shared(rendering);
  const fresh = change.blocks?.filter((block) => typeof block === "string").join("") ?? "";
  if (fresh === "") return change;
  known.rendering = renderBlocksOf(change, renderHtml(fresh));
  try {
    const result = await known.rendering;
    // Otherwise its code is still being highlighted.
    if (isColored(fresh)) known.rendered = result;
    return result;
  } finally {
    known.rendering = undefined;
  }
}

async function renderBlocksOf({ blocks, ...change }: TextChange, html: Promise<string>): Promise<TextChange> {
  const rendered = blocksOf(await html);
  return {
    ...change,
    blocks: blocks && blocks.map((block) => (typeof block === "string" ? rendered.shift()! : block)),
  };
}

function steps(previous: number[], blocks: string[]): NonNullable<TextChange["blocks"]> {
  const hashes = blocks.map(hashOf);
  let start = 0;
  while (start < previous.length && start < hashes.length && previous[start] === hashes[start]) start++;
  let end = 0;
  while (
    end < Math.min(previous.length, hashes.length) - start &&
    previous[previous.length - 1 - end] === hashes[hashes.length - 1 - end]
  )
    end++;
  const [removedHashes, addedHashes] = [
    previous.slice(start, previous.length - end),
    hashes.slice(start, hashes.length - end),
  ];
  const parts = diffArrays(removedHashes, addedHashes, { maxEditLength: mostDifferent }) ?? [
    { value: removedHashes, removed: true },
    { value: addedHashes, added: true },
  ];
  const result: NonNullable<TextChange["blocks"]> = [];
  const keep = (first: number, count: number): void => {
    const last = result.at(-1);
    if (Array.isArray(last) && last[0] + last[1] === first) last[1] += count;
    else if (count > 0) result.push([first, count]);
  };
  keep(0, start);
  let [oldIndex, newIndex] = [start, start];
  for (const { value, removed, added } of parts) {
    if (removed) oldIndex += value.length;
    else if (added) for (const _ of value) result.push(blocks[newIndex++]!);
    else {
      keep(oldIndex, value.length);
      oldIndex += value.length;
      newIndex += value.length;
    }
  }
  keep(previous.length - end, end);
  return result;
}
