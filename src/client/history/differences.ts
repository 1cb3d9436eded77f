import { diffArrays, diffWordsWithSpace } from "diff";
import type { NodeJson } from "../../shared/document/schema.ts";
import { coverKey, forSearch, scheduleKey } from "../writing/draft-fields.ts";
import type { BlogFields } from "../writing/draft-fields.ts";
import { audienceOfFields } from "../writing/form/blog-fields.ts";

/** The fields that are compared as a whole. The two switches of visibility make sense only together. */
const wholeFields = [
  "title",
  "description",
  "tags",
  "cover",
  "visibility",
  "address",
  "language",
  ...forSearch,
] as const;
export type WholeField = (typeof wholeFields)[number];

const timeoutMs = 300;
const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const valueOf = (fields: BlogFields, name: WholeField): unknown =>
  name === "visibility"
    ? [audienceOfFields(fields), scheduleKey(fields.later), fields.later && fields.private]
    : name === "cover"
      ? fields.cover && coverKey(fields.cover)
      : typeof fields[name] === "string"
        ? fields[name].trim()
        : fields[name];

/** Returns the fields that differ. An empty address keeps the one before. `hasNewCover`: one is being uploaded. */
export const differentFields = (before: BlogFields, after: BlogFields, hasNewCover: boolean): WholeField[] =>
  wholeFields.filter((name) => {
    if (name === "cover" && hasNewCover) return true;
    if (name === "address" && after.address.trim() === "") return false;
    return !isEqual(valueOf(before, name), valueOf(after, name));
  });

/** Equal blocks of two lists, or blocks that replace others. */
export type BlockRun = { same: NodeJson[] } | { before: NodeJson[]; after: NodeJson[] };

const keysOf = (blocks: NodeJson[]): string[] => blocks.map((block) => JSON.stringify(block));

/** Splits two lists of blocks into equal and different runs. */
export function diffBlocks(before: NodeJson[], after: NodeJson[]): BlockRun[] {
  // Texts that differ too much to compare in time are one run.
  const parts = diffArrays(keysOf(before), keysOf(after), { timeout: timeoutMs }) ?? [
    { removed: true, added: false, value: before },
    { removed: false, added: true, value: after },
  ];
  const found: BlockRun[] = [];
  let [left, right] = [0, 0];
  for (const { removed, added, value } of parts) {
    if (!removed && !added) {
      found.push({ same: before.slice(left, left + value.length) });
      left += value.length;
      right += value.length;
      continue;
    }
    let open = found.at(-1);
    if (!open || "same" in open) found.push((open = { before: [], after: [] }));
    if (removed) open.before.push(...before.slice(left, (left += value.length)));
    else open.after.push(...after.slice(right, (right += value.length)));
  }
  return found;
}

/** A part of a text; `isOwn` if the other text lacks it. */
export interface MarkedText {
  text: string;
  isOwn: boolean;
}

/** Compares two texts by words. */
export function diffWords(before: string, after: string): Record<"before" | "after", MarkedText[]> {
  const parts = diffWordsWithSpace(before, after, { timeout: timeoutMs });
  if (!parts) return { before: [{ text: before, isOwn: true }], after: [{ text: after, isOwn: true }] };
  const side = (not: "added" | "removed"): MarkedText[] =>
    parts
      .filter((part) => !part[not])
      .map((part) => ({ text: part.value, isOwn: part.added || part.removed }));
  return { before: side("added"), after: side("removed") };
}
