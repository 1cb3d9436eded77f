import type { VersionEntry, VersionList } from "../../shared/versions.ts";
import { REFETCH, liveQuery } from "../live/queries/live-query.ts";
import type { LiveQueries } from "../live/queries/live-query.ts";
import { registerLiveQueries } from "../live/live.ts";

/** Adds a page of older versions. */
export const withOlder = (list: VersionList, older: VersionList): VersionList => ({
  ...list,
  versions: [...list.versions, ...older.versions],
  hasMore: older.hasMore,
  seen: older.seen,
});

/** Replaces the newest page and keeps the older versions that were loaded. */
export function withNewest(shown: VersionList, now: VersionList): VersionList {
  const last = now.versions.at(-1);
  const place = last ? shown.versions.findIndex(({ id }) => id === last.id) : -1;
  // More than a page was saved meanwhile: "Show older" loads what is in between.
  if (place < 0) return now;
  return {
    ...now,
    versions: [...now.versions, ...shown.versions.slice(place + 1)],
    hasMore: shown.hasMore,
  };
}

const versions = liveQuery<VersionList, { id: string }>({
  topics: () => ["me"],
  on: {
    "viewer.blogsChanged": (list, { blogId }, { input }) =>
      blogId === null || blogId === input.id ? REFETCH : list,
  },
  merge: withNewest,
});

const versionQueries: LiveQueries = { "blogs.versions": versions };

registerLiveQueries(versionQueries);

const reasonTexts: Record<VersionEntry["reason"], string> = {
  published: "Published",
  written: "Draft",
  "before-restore": "Before a restore",
  "before-discard": "Discarded changes",
};

export const reasonText = ({ reason, restored }: VersionEntry): string =>
  restored === null ? reasonTexts[reason] : `Restored from ${exactText(restored)}`;

/** Which one it is, among others: in one minute there may be several. */
export const nameOf = ({ reason, createdAt }: VersionEntry): string =>
  `${reasonTexts[reason]}, ${exactText(createdAt)}`;

/** How many words, and how many more or fewer than the one before. */
export function wordsText({ words, change }: VersionEntry): string {
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
