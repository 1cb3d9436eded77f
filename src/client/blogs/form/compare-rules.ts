import { diffArrays, diffWordsWithSpace } from "diff";
import type { EditableBlog } from "../../../shared/blogs.ts";
import type { NodeJson } from "../../../shared/document/schema.ts";
import { asLater, keyOf } from "./later.ts";
import { audienceOf, forSearch, whichCover } from "./values.ts";
import type { BlogFields } from "./values.ts";

export type Side = "theirs" | "mine";
/** Of two texts both may stay, one behind the other. */
export type Choice = Side | "both";

/** The fields that are chosen whole. Who may read it is one of them: the two switches make one sense. */
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

/** A stretch of the text: the same in both, or different, with what is proposed. */
export type Piece = { same: NodeJson[] } | Different;
export interface Different {
  theirs: NodeJson[];
  mine: NodeJson[];
  proposal: Side;
  /** Both sides changed it. */
  isClash: boolean;
}

const mostTime = 300;
const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const valueOf = (fields: BlogFields, name: WholeField): unknown =>
  name === "visibility"
    ? [audienceOf(fields), keyOf(fields.later), fields.later && fields.private]
    : name === "cover"
      ? fields.cover && whichCover(fields.cover)
      : typeof fields[name] === "string"
        ? fields[name].trim()
        : fields[name];

/**
 * Which fields differ, and what is proposed: what one side alone changed since `base`; otherwise one's own, but of two
 * audiences the smaller one.
 */
export function differingFields(
  theirs: BlogFields,
  mine: BlogFields,
  base: BlogFields | null,
  ownCover: boolean,
): { name: WholeField; proposal: Side }[] {
  return wholeFields.flatMap((name) => {
    const [his, own] = [valueOf(theirs, name), valueOf(mine, name)];
    const isOwnCover = name === "cover" && ownCover;
    if (isEqual(his, own) && !isOwnCover) return [];
    if (name === "address" && own === "") return [];
    const began = base && valueOf(base, name);
    const isMineOld = base !== null && isEqual(own, began) && !isOwnCover;
    const isTheirsOld = base !== null && isEqual(his, began);
    const isNarrower = name === "visibility" && !isTheirsOld && audienceOf(theirs) < audienceOf(mine);
    // What has been published meanwhile is not taken back to be published once more.
    const isOut = name === "visibility" && mine.later !== null && audienceOf(theirs) > 0;
    return [{ name, proposal: isMineOld || isNarrower || isOut ? "theirs" : "mine" }];
  });
}

/** What stands, as fields that compare with one's own: an address is a wish until it is given. */
export const fieldsThere = (blog: EditableBlog, document: NodeJson): BlogFields => ({
  title: blog.title,
  description: blog.description,
  tags: blog.tags,
  cover: blog.cover,
  draft: blog.draft && !blog.schedule,
  private: blog.private,
  later: asLater(blog.schedule),
  address: blog.slug,
  canonicalUrl: blog.canonicalUrl,
  searchTitle: blog.searchTitle,
  searchDescription: blog.searchDescription,
  language: blog.language,
  document,
});

/** A stretch of two lists of blocks: the same in both, or what the one has and the other has in its place. */
export type Stretch = { same: NodeJson[] } | { before: NodeJson[]; after: NodeJson[] };

const blocksOf = (document: NodeJson | null): NodeJson[] => document?.content ?? [];
const keysOf = (blocks: NodeJson[]): string[] => blocks.map((block) => JSON.stringify(block));

/** Where two lists of blocks are the same, and where they are not. */
export function stretches(his: NodeJson[], own: NodeJson[]): Stretch[] {
  // Where all is different it would take long to say how: then it is one stretch.
  const parts = diffArrays(keysOf(his), keysOf(own), { timeout: mostTime }) ?? [
    { removed: true, added: false, value: his },
    { removed: false, added: true, value: own },
  ];
  const found: Stretch[] = [];
  let [left, right] = [0, 0];
  for (const { removed, added, value } of parts) {
    if (!removed && !added) {
      found.push({ same: his.slice(left, left + value.length) });
      left += value.length;
      right += value.length;
      continue;
    }
    let open = found.at(-1);
    if (!open || "same" in open) found.push((open = { before: [], after: [] }));
    if (removed) open.before.push(...his.slice(left, (left += value.length)));
    else open.after.push(...own.slice(right, (right += value.length)));
  }
  return found;
}

/** The two texts, block beside block. */
export function differingText(theirs: NodeJson, mine: NodeJson, base: NodeJson | null): Piece[] {
  const began = base && keysOf(blocksOf(base));
  return stretches(blocksOf(theirs), blocksOf(mine)).flatMap((stretch): Piece[] => {
    if ("same" in stretch) return [stretch];
    const { before, after } = stretch;
    // As many on both sides are the same paragraphs written otherwise, each with its own choice.
    const pairs: [NodeJson[], NodeJson[]][] =
      before.length === after.length ? before.map((block, at) => [[block], [after[at]!]]) : [[before, after]];
    return pairs.map(([one, other]) => ({
      theirs: one,
      mine: other,
      ...proposed(keysOf(one), keysOf(other), began),
    }));
  });
}

/** Whoever left a stretch as it was gives way to who changed it. */
function proposed(
  theirs: string[],
  mine: string[],
  began: string[] | null,
): { proposal: Side; isClash: boolean } {
  if (!began) return { proposal: "mine", isClash: true };
  // Nothing on one side: then it was there before, and was taken out; or it was not, and was put in.
  const isMineOld = mine.length > 0 ? holds(began, mine) : !holds(began, theirs);
  const isTheirsOld = theirs.length > 0 ? holds(began, theirs) : !holds(began, mine);
  return { proposal: isMineOld && !isTheirsOld ? "theirs" : "mine", isClash: !isMineOld && !isTheirsOld };
}

const holds = (list: string[], part: string[]): boolean =>
  list.some((_, at) => part.every((key, offset) => list[at + offset] === key));

/** The document of what was chosen; `choices` has one for each piece that differs, in order. */
export function putTogether(pieces: Piece[], choices: readonly Choice[]): NodeJson {
  let at = 0;
  const content = pieces.flatMap((piece) => {
    if ("same" in piece) return piece.same;
    const choice = choices[at++] ?? piece.proposal;
    return choice === "both" ? [...piece.theirs, ...piece.mine] : piece[choice];
  });
  return { type: "doc", content: content.length > 0 ? content : [{ type: "paragraph", content: [] }] };
}

/** A text in parts, those that the other one has not marked. */
export interface Marked {
  text: string;
  isOwn: boolean;
}

/** What two texts have of their own, by words. */
export function differingWords(theirs: string, mine: string): Record<Side, Marked[]> {
  const parts = diffWordsWithSpace(theirs, mine, { timeout: mostTime });
  if (!parts) return { theirs: [{ text: theirs, isOwn: true }], mine: [{ text: mine, isOwn: true }] };
  const side = (not: "added" | "removed"): Marked[] =>
    parts
      .filter((part) => !part[not])
      .map((part) => ({ text: part.value, isOwn: part.added || part.removed }));
  return { theirs: side("added"), mine: side("removed") };
}
