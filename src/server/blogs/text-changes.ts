import { hash } from "node:crypto";
import { diffArrays } from "diff";
import { LRUCache } from "lru-cache";
import type { TextChange } from "../../shared/blogs.ts";
import { blocksOf } from "../../shared/document/blocks.ts";
import { limits } from "../../shared/limits.ts";

/** The longest run of differing blocks that is diffed; beyond it all are new. */
const mostDifferent = 200;

/** Identifies a text by its stored HTML, however it is rendered. */
export const digestOf = (html: string | Buffer): string => hash("sha1", html, "base64url").slice(0, 12);

/** Block hashes of replaced texts by the digest of the whole; none of their words. */
const before = new LRUCache<string, Float64Array>({
  maxSize: 1_000_000,
  sizeCalculation: (names) => names.length + 20,
});

const nameOf = (block: string): number => hash("sha1", block, "buffer").readUIntBE(0, 6);

/** Stores the block hashes of a text before it is replaced. Returns its digest. */
export function storeBlockHashes(html: string): string {
  const digest = digestOf(html);
  if (!before.has(digest)) before.set(digest, Float64Array.from(blocksOf(html), nameOf));
  return digest;
}

/** Returns the change from a text with that digest, if known. Contains nothing of the old text. */
export function changeFrom(from: string, html: string): TextChange | undefined {
  const known = before.get(from);
  const to = digestOf(html);
  if (from === to) return { from, to, blocks: null };
  return known && { from, to, blocks: steps([...known], blocksOf(html)) };
}

/** Renders stored HTML for pages, block for block. */
export type RenderHtml = (html: string) => Promise<string>;

/** Returns a change, or a short text as a whole, as sent to pages; null if too long. Renders at most once. */
export async function textChange(
  from: string | undefined,
  html: string,
  draw: RenderHtml,
): Promise<TextChange | null> {
  // Rendering only makes it longer.
  const change = from === undefined ? undefined : changeFrom(from, html);
  if (change ? isTooLong(change) : Buffer.byteLength(html) > limits.live.message) return null;
  const told = change
    ? await renderChange(change, draw)
    : { from: null, to: digestOf(html), blocks: [await draw(html)] };
  return isTooLong(told) ? null : told;
}

const isTooLong = (change: TextChange): boolean =>
  Buffer.byteLength(JSON.stringify(change)) > limits.live.message;

/** Renders a change's new blocks. */
export async function renderChange(change: TextChange, draw: RenderHtml): Promise<TextChange> {
  const fresh = change.blocks?.filter((one) => typeof one === "string") ?? [];
  if (!change.blocks || fresh.length === 0) return change;
  const rendered = blocksOf(await draw(fresh.join("")));
  return {
    ...change,
    blocks: change.blocks.map((one) => (typeof one === "string" ? rendered.shift()! : one)),
  };
}

function steps(known: number[], blocks: string[]): NonNullable<TextChange["blocks"]> {
  const names = blocks.map(nameOf);
  let start = 0;
  while (start < known.length && start < names.length && known[start] === names[start]) start++;
  let end = 0;
  while (
    end < Math.min(known.length, names.length) - start &&
    known[known.length - 1 - end] === names[names.length - 1 - end]
  )
    end++;
  const [left, right] = [known.slice(start, known.length - end), names.slice(start, names.length - end)];
  const parts = diffArrays(left, right, { maxEditLength: mostDifferent }) ?? [
    { value: left, removed: true },
    { value: right, added: true },
  ];
  const made: NonNullable<TextChange["blocks"]> = [];
  const keep = (first: number, count: number): void => {
    const last = made.at(-1);
    if (Array.isArray(last) && last[0] + last[1] === first) last[1] += count;
    else if (count > 0) made.push([first, count]);
  };
  keep(0, start);
  let [was, is] = [start, start];
  for (const { value, removed, added } of parts) {
    if (removed) was += value.length;
    else if (added) for (const _ of value) made.push(blocks[is++]!);
    else {
      keep(was, value.length);
      was += value.length;
      is += value.length;
    }
  }
  keep(known.length - end, end);
  return made;
}
