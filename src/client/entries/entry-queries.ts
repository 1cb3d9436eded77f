import { entryLimits } from "../../shared/entries.ts";
import type { Entry, EntryList, ViewerEntry } from "../../shared/entries.ts";
import type { ListEntries } from "../../shared/entry-inputs.ts";
import type { z } from "zod";
import { Incomplete, REFETCH, liveQuery } from "../live/queries/live-query.ts";
import type { EntryEvent } from "../../shared/live.ts";
import type { EventContext } from "../live/queries/live-query.ts";
import { registerLiveQueries } from "../live/live.ts";
import { patch, patchPerson } from "../live/queries/patch.ts";
import type { Person } from "../../shared/users.ts";
import { addPage, applyEntryEvent, compareEntries, isLoaded, mapEntry } from "./apply-entry-event.ts";

type Input = z.output<typeof ListEntries>;

/** The most pages that are fetched to show as much as before. */
const maxPages = 70;

type Answer = EntryList | Incomplete<EntryList>;

/** Applies an event, and fetches what it does not say about the list. */
function apply(
  list: EntryList,
  event: EntryEvent,
  { input, isOptimistic, viewerId }: EventContext<Input>,
): Answer {
  const now = applyEntryEvent(list, event, input.order, isOptimistic);
  const isKnown =
    isOptimistic || !(leavesKeys(list, now) || (viewerId !== null && mayBeLiked(list, now, event)));
  return isKnown ? now : new Incomplete(now);
}

/** Whether another key moment, of more than are listed, takes the place of one. */
const leavesKeys = ({ keys }: EntryList, now: EntryList): boolean => {
  if (keys.length < entryLimits.keys || now.keys === keys) return false;
  const [oldest] = keys;
  return now.keys.length < keys.length || (oldest !== undefined && compareEntries(now.keys[0]!, oldest) < 0);
};

/** Whether the viewer may have liked an entry that came from beyond the loaded pages, or back. */
const mayBeLiked = (list: EntryList, now: EntryList, event: EntryEvent): boolean =>
  "entry" in event &&
  event.entry.likesCount > 0 &&
  now.entries.some(({ id }) => id === event.entry.id) &&
  !list.entries.some(({ id }) => id === event.entry.id);

function withLike(
  entry: ViewerEntry,
  { entryId, liked }: { entryId: string; liked: boolean },
  isOptimistic: boolean,
): ViewerEntry {
  if (entry.id !== entryId || entry.liked === liked) return entry;
  return { ...entry, liked, likesCount: entry.likesCount + (isOptimistic ? (liked ? 1 : -1) : 0) };
}

const changed = (shown: ViewerEntry | null, entry: Entry): ViewerEntry | null =>
  shown?.id === entry.id ? patch(shown, entry) : shown;

const withAuthor = (entry: ViewerEntry, person: Person): ViewerEntry =>
  entry.author ? patch(entry, { author: patchPerson(entry.author, person) }) : entry;

/** Their entries stay: they are the blog's. */
const withoutAuthor = (entry: ViewerEntry, personId: string): ViewerEntry =>
  entry.author?.id === personId ? { ...entry, author: null } : entry;

const withAuthors = (list: EntryList, person: Person): EntryList =>
  patch(list, {
    entries: list.entries.map((entry) => withAuthor(entry, person)),
  });

/** A live blog's entries, fetched again as far as they are shown. */
const entryList = liveQuery<EntryList, Input>({
  topics: (_, { blogId }) => [`blog:${blogId}`, "me", "feed"],
  on: {
    "entry.posted": apply,
    "entry.edited": apply,
    "entry.withdrawn": apply,
    "entry.liked": apply,
    "viewer.entryLike": (list, event, { isOptimistic }) =>
      patch(list, {
        entries: mapEntry(list.entries, event.entryId, (entry) => withLike(entry, event, isOptimistic)),
      }),
    "person.changed": (list, { person }) => withAuthors(list, person),
    "viewer.profileChanged": (list, { person }) => withAuthors(list, person),
    "person.gone": (list, { personId }) =>
      patch(list, { entries: list.entries.map((entry) => withoutAuthor(entry, personId)) }),
    accessLost: ({ cursor }) => ({ entries: [], more: null, keys: [], total: 0, cursor }),
  },
  jitterMs: 500,
  refetch: async (client, input, shown) => {
    let list = await client.blogs.entries.query(input);
    for (let pages = 1; pages < maxPages && list.more; pages++) {
      const end = shown()
        .entries.toSorted(compareEntries)
        .at(input.order === "oldest" ? -1 : 0);
      if (!end || isLoaded(list, end, input.order)) break;
      const page = await client.blogs.entries.query({ ...input, after: list.more });
      // With the cursor of the first page: what happened to its entries since then is not in the later ones.
      list = addPage(list, page, input.order);
    }
    return list;
  },
});

interface OneEntry {
  entry: ViewerEntry | null;
}

/** An entry that an address names; null where there is none, or it was withdrawn. */
const oneEntry = liveQuery<OneEntry, { blogId: string; id: string }>({
  topics: (_, { blogId }) => [`blog:${blogId}`, "me", "feed"],
  on: {
    // It was brought back.
    "entry.posted": (shown, { entry }, { input }) =>
      entry.id === input.id && !shown.entry ? REFETCH : patch(shown, { entry: changed(shown.entry, entry) }),
    "entry.edited": (shown, { entry }) => patch(shown, { entry: changed(shown.entry, entry) }),
    "entry.withdrawn": (shown, { entryId }) =>
      shown.entry?.id === entryId ? { ...shown, entry: null } : shown,
    "entry.liked": (shown, { entryId, likesCount }) =>
      shown.entry?.id === entryId ? patch(shown, { entry: patch(shown.entry, { likesCount }) }) : shown,
    "viewer.entryLike": (shown, event, { isOptimistic }) =>
      patch(shown, { entry: shown.entry && withLike(shown.entry, event, isOptimistic) }),
    "person.changed": (shown, { person }) =>
      patch(shown, { entry: shown.entry && withAuthor(shown.entry, person) }),
    "viewer.profileChanged": (shown, { person }) =>
      patch(shown, { entry: shown.entry && withAuthor(shown.entry, person) }),
    "person.gone": (shown, { personId }) =>
      patch(shown, { entry: shown.entry && withoutAuthor(shown.entry, personId) }),
    accessLost: (shown) => ({ ...shown, entry: null }),
  },
});

registerLiveQueries({ "blogs.entries": entryList, "blogs.entry": oneEntry });
