import { entryLimits } from "../../shared/entries.ts";
import type {
  Entry,
  EntryList,
  EntryOrder,
  EntryPosition,
  KeyMoment,
  ViewerEntry,
} from "../../shared/entries.ts";
import type { EntryEvent } from "../../shared/live.ts";
import { patch } from "../live/queries/patch.ts";

/** Compares two positions, oldest first. */
export function compareEntries(one: EntryPosition, other: EntryPosition): number {
  if (one.at !== other.at) return one.at < other.at ? -1 : 1;
  return one.id === other.id ? 0 : one.id < other.id ? -1 : 1;
}

const sorted = <T extends EntryPosition>(entries: readonly T[], order: EntryOrder): T[] =>
  entries.toSorted((a, b) => (order === "oldest" ? compareEntries(a, b) : compareEntries(b, a)));

/** Whether an entry lies within the loaded pages. */
export function isLoaded(
  { more }: Pick<EntryList, "more">,
  entry: EntryPosition,
  order: EntryOrder,
): boolean {
  if (!more) return true;
  return order === "oldest" ? compareEntries(entry, more) <= 0 : compareEntries(entry, more) >= 0;
}

/**
 * Applies an event to a list of entries; the same object is returned where nothing changes. Idempotent: totals are absolute.
 * An optimistic entry, whose total is not known, counts as one more if it is shown: the server may have counted others already.
 */
export function applyEntryEvent(
  list: EntryList,
  event: EntryEvent,
  order: EntryOrder,
  isOptimistic = false,
): EntryList {
  switch (event.kind) {
    case "entry.posted":
    case "entry.edited": {
      const { entry } = event;
      const known = list.entries.find(({ id }) => id === entry.id);
      const isNew = event.kind === "entry.posted" && !known && isLoaded(list, entry, order);
      return patch(list, {
        entries: withEntry(list, entry, known, order),
        keys: withKey(list.keys, entry),
        total: isOptimistic ? list.total + (isNew ? 1 : 0) : event.total,
      });
    }
    case "entry.withdrawn": {
      const entries = list.entries.filter(({ id }) => id !== event.entryId);
      const isGone = entries.length < list.entries.length;
      return patch(list, {
        entries: isGone ? entries : list.entries,
        keys: list.keys.filter(({ id }) => id !== event.entryId),
        total: isOptimistic ? list.total - (isGone ? 1 : 0) : event.total,
      });
    }
    case "entry.liked":
      return patch(list, {
        entries: mapEntry(list.entries, event.entryId, (entry) =>
          patch(entry, { likesCount: event.likesCount }),
        ),
      });
  }
}

/** Changes one entry; the same list is returned where it is not loaded, or stays the same. */
export function mapEntry(
  entries: ViewerEntry[],
  id: string,
  change: (entry: ViewerEntry) => ViewerEntry,
): ViewerEntry[] {
  const index = entries.findIndex((entry) => entry.id === id);
  const found = entries[index];
  const next = found && change(found);
  return next === found || !next ? entries : entries.with(index, next);
}

function withEntry(
  list: EntryList,
  entry: Entry,
  known: ViewerEntry | undefined,
  order: EntryOrder,
): ViewerEntry[] {
  const next = known ? patch(known, entry) : { liked: false, ...entry };
  if (next === known) return list.entries;
  const others = list.entries.filter(({ id }) => id !== entry.id);
  return isLoaded(list, entry, order) ? sorted([...others, next], order) : others;
}

/** Adds, changes or removes a key moment; of more than are listed the newest count. */
function withKey(keys: KeyMoment[], { id, at, headline, isKey }: Entry): KeyMoment[] {
  const others = keys.filter((one) => one.id !== id);
  return isKey ? sorted([...others, { id, at, headline }], "oldest").slice(-entryLimits.keys) : others;
}

/** Returns the list with the page after its loaded end. */
export function addPage(list: EntryList, page: EntryList, order: EntryOrder): EntryList {
  const known = new Set(list.entries.map(({ id }) => id));
  const added = page.entries.filter(({ id }) => !known.has(id));
  return { ...list, entries: sorted([...list.entries, ...added], order), more: page.more, total: page.total };
}
