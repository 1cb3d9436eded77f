import type { RevisionEntry, RevisionList } from "../../../../shared/revisions.ts";
import { REFETCH, liveQuery } from "../../../live/queries/live-query.ts";
import type { LiveQueries } from "../../../live/queries/live-query.ts";
import { registerLiveQueries } from "../../../live/live.ts";

/** Adds a page of older revisions. */
export const withOlder = (list: RevisionList, older: RevisionList): RevisionList => ({
  ...list,
  revisions: [...list.revisions, ...older.revisions],
  hasMore: older.hasMore,
  seen: older.seen,
});

/** Replaces the newest page and keeps the older revisions that were loaded. */
export function withNewest(shown: RevisionList, now: RevisionList): RevisionList {
  const last = now.revisions.at(-1);
  const place = last ? shown.revisions.findIndex(({ id }) => id === last.id) : -1;
  // More than a page was saved meanwhile: "Show older" loads what is in between.
  if (place < 0) return now;
  return {
    ...now,
    revisions: [...now.revisions, ...shown.revisions.slice(place + 1)],
    hasMore: shown.hasMore,
  };
}

const revisions = liveQuery<RevisionList, { id: string }>({
  topics: () => ["me"],
  on: {
    "viewer.blogsChanged": (list, { blogId }, { input }) =>
      blogId === null || blogId === input.id ? REFETCH : list,
  },
  merge: withNewest,
});

const revisionQueries: LiveQueries = { "blogs.revisions": revisions };

registerLiveQueries(revisionQueries);

const reasonTexts: Record<RevisionEntry["why"], string> = {
  published: "Published",
  updated: "Updated",
  draft: "Draft saved",
  restored: "Restored",
  api: "Changed by a program",
  imported: "Imported",
  before: "Before history was kept",
  unpublished: "Unpublished changes",
  discarded: "Discarded changes",
};

export const whyText = ({ why, restored }: RevisionEntry): string =>
  restored === null ? reasonTexts[why] : `${reasonTexts[why]} from ${exactText(restored)}`;

/** Which one it is, among others: in one minute there may be several. */
export const nameOf = ({ why, createdAt }: RevisionEntry): string =>
  `${reasonTexts[why]}, ${exactText(createdAt)}`;

/** How many words, and how many more or fewer than the one before. */
export function wordsText({ words, change }: RevisionEntry): string {
  const count = (number: number) => number.toLocaleString("en");
  const all = words === 1 ? "1 word" : `${count(words)} words`;
  if (!change) return all;
  return `${all}, ${count(Math.abs(change))} ${change > 0 ? "more" : "fewer"}`;
}

let format: Intl.DateTimeFormat | undefined;
/** A time in the reader's own form, to the minute. */
export function exactText(at: string): string {
  format ??= new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
  return format.format(Date.parse(at));
}
