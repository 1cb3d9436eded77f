import { hash } from "node:crypto";
import { diffArrays } from "diff";
import { LRUCache } from "lru-cache";
import type { TextChange } from "../../shared/blogs.ts";
import { blocksOf } from "../../shared/document/blocks.ts";
import { limits } from "../../shared/limits.ts";

/** Blocks that differ in a row, up to which it is looked which of them are the same: beyond that all of them are new. */
const mostDifferent = 200;

/** What pages have of a text is named by this, of its stored HTML: however that is drawn. */
export const digestOf = (html: string | Buffer): string => hash("sha1", html, "base64url").slice(0, 12);

/** Names of the blocks of texts that were followed by others, by the digest of the whole: numbers, and nothing of the words. */
const before = new LRUCache<string, Float64Array>({
  maxSize: 1_000_000,
  sizeCalculation: (names) => names.length + 20,
});

const nameOf = (block: string): number => hash("sha1", block, "buffer").readUIntBE(0, 6);

/** Notes a text that another takes the place of, for pages that have it. Answers with its digest. */
export function noteBefore(html: string): string {
  const digest = digestOf(html);
  if (!before.has(digest)) before.set(digest, Float64Array.from(blocksOf(html), nameOf));
  return digest;
}

/** What makes this text of the one with that digest; undefined where that one is not known any more. Nothing of the old one is in it. */
export function changeFrom(from: string, html: string): TextChange | undefined {
  const known = before.get(from);
  const to = digestOf(html);
  if (from === to) return { from, to, blocks: null };
  return known && { from, to, blocks: steps([...known], blocksOf(html)) };
}

/** What makes stored HTML what pages draw, block for block. */
export type Draw = (html: string) => Promise<string>;

/** The same as pages are told of it all at once; a short text may be told whole, a long one is to be asked for. It is drawn once at most. */
export async function textChange(
  from: string | undefined,
  html: string,
  draw: Draw,
): Promise<TextChange | null> {
  // What changed is no more than the whole: where that is too much to tell, this is.
  const change = from === undefined ? undefined : changeFrom(from, html);
  if (change ? isTooLong(change) : Buffer.byteLength(html) > limits.live.message) return null;
  const told = change
    ? await drawnChange(change, draw)
    : { from: null, to: digestOf(html), blocks: [await draw(html)] };
  return isTooLong(told) ? null : told;
}

const isTooLong = (change: TextChange): boolean =>
  Buffer.byteLength(JSON.stringify(change)) > limits.live.message;

/** A change with its new blocks as pages draw them. */
export async function drawnChange(change: TextChange, draw: Draw): Promise<TextChange> {
  const fresh = change.blocks?.filter((one) => typeof one === "string") ?? [];
  if (!change.blocks || fresh.length === 0) return change;
  const drawn = blocksOf(await draw(fresh.join("")));
  return { ...change, blocks: change.blocks.map((one) => (typeof one === "string" ? drawn.shift()! : one)) };
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
