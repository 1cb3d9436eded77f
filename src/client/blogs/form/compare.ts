import { diffArrays, diffWordsWithSpace } from "diff";
import type { EditableBlog } from "../../../shared/blogs.ts";
import type { NodeJson } from "../../../shared/document/schema.ts";
import { scheduleKey } from "./schedule-time.ts";
import { audienceOf, forSearch, coverKey } from "./blog-fields.ts";
import type { BlogFields } from "./blog-fields.ts";

export type Side = "theirs" | "mine";
/** Both texts can stay, one after the other. */
export type Choice = Side | "both";

/** The fields chosen as a whole. The two switches of visibility make sense only together. */
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

/** A run of the text: equal in both, or different. */
export type Piece = { same: NodeJson[] } | DifferentPiece;
export type DifferentPiece = Record<Side, NodeJson[]>;

const timeoutMs = 300;
const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const valueOf = (fields: BlogFields, name: WholeField): unknown =>
  name === "visibility"
    ? [audienceOf(fields), scheduleKey(fields.later), fields.later && fields.private]
    : name === "cover"
      ? fields.cover && coverKey(fields.cover)
      : typeof fields[name] === "string"
        ? fields[name].trim()
        : fields[name];

/** Returns the differing fields, each with a proposal: `mine`, but the smaller audience. */
export function diffFields(
  theirs: BlogFields,
  mine: BlogFields,
  ownCover: boolean,
): { name: WholeField; proposal: Side }[] {
  return wholeFields.flatMap((name) => {
    const [theirValue, myValue] = [valueOf(theirs, name), valueOf(mine, name)];
    const isOwnCover = name === "cover" && ownCover;
    if (isEqual(theirValue, myValue) && !isOwnCover) return [];
    if (name === "address" && myValue === "") return [];
    const isNarrower = name === "visibility" && audienceOf(theirs) < audienceOf(mine);
    // A blog that was published meanwhile is not unpublished for a later publication.
    const isAlreadyPublished = name === "visibility" && mine.later !== null && audienceOf(theirs) > 0;
    return [{ name, proposal: isNarrower || isAlreadyPublished ? "theirs" : "mine" }];
  });
}

/** Returns the server's version as form fields, with its slug as `address` to compare. */
export const fieldsOnServer = (blog: EditableBlog, document: NodeJson): BlogFields => ({
  title: blog.title,
  description: blog.description,
  tags: blog.tags,
  cover: blog.cover,
  draft: blog.draft && !blog.schedule,
  private: blog.private,
  later: blog.schedule,
  address: blog.slug,
  canonicalUrl: blog.canonicalUrl,
  searchTitle: blog.searchTitle,
  searchDescription: blog.searchDescription,
  language: blog.language,
  document,
});

/** Returns the chosen fields, with this document. */
export function mergeFields(
  theirs: BlogFields,
  mine: BlogFields,
  sideOf: (name: WholeField) => Side,
  document: NodeJson,
): BlogFields {
  const fieldsFor = (name: WholeField) => (sideOf(name) === "mine" ? mine : theirs);
  return {
    title: fieldsFor("title").title,
    description: fieldsFor("description").description,
    tags: fieldsFor("tags").tags,
    cover: fieldsFor("cover").cover,
    draft: fieldsFor("visibility").draft,
    private: fieldsFor("visibility").private,
    later: fieldsFor("visibility").later,
    address: fieldsFor("address").address,
    canonicalUrl: fieldsFor("canonicalUrl").canonicalUrl,
    searchTitle: fieldsFor("searchTitle").searchTitle,
    searchDescription: fieldsFor("searchDescription").searchDescription,
    language: fieldsFor("language").language,
    document,
  };
}

/** Equal blocks of two lists, or blocks that replace others. */
export type BlockRun = { same: NodeJson[] } | { before: NodeJson[]; after: NodeJson[] };

const blocksOf = ({ content = [] }: NodeJson): NodeJson[] => content;
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

/** Compares two texts block by block. */
export function diffText(theirs: NodeJson, mine: NodeJson): Piece[] {
  return diffBlocks(blocksOf(theirs), blocksOf(mine)).flatMap((run): Piece[] => {
    if ("same" in run) return [run];
    const { before, after } = run;
    // Equal numbers on both sides are the same paragraphs edited, each with its own choice.
    const pairs: [NodeJson[], NodeJson[]][] =
      before.length === after.length ? before.map((block, at) => [[block], [after[at]!]]) : [[before, after]];
    return pairs.map(([one, other]) => ({ theirs: one, mine: other }));
  });
}

/** Returns the document of the choices, one for each differing piece in order. */
export function mergeChoices(pieces: Piece[], choices: readonly Choice[]): NodeJson {
  let at = 0;
  const content = pieces.flatMap((piece) => {
    if ("same" in piece) return piece.same;
    const choice = choices[at++] ?? "mine";
    return choice === "both" ? [...piece.theirs, ...piece.mine] : piece[choice];
  });
  return { type: "doc", content: content.length > 0 ? content : [{ type: "paragraph", content: [] }] };
}

/** A part of a text; `isOwn` if the other text lacks it. */
export interface MarkedText {
  text: string;
  isOwn: boolean;
}

/** Compares two texts by words. */
export function diffWords(theirs: string, mine: string): Record<Side, MarkedText[]> {
  const parts = diffWordsWithSpace(theirs, mine, { timeout: timeoutMs });
  if (!parts) return { theirs: [{ text: theirs, isOwn: true }], mine: [{ text: mine, isOwn: true }] };
  const side = (not: "added" | "removed"): MarkedText[] =>
    parts
      .filter((part) => !part[not])
      .map((part) => ({ text: part.value, isOwn: part.added || part.removed }));
  return { theirs: side("added"), mine: side("removed") };
}
