import { entryLimits } from "../../shared/entries.ts";
import type { EntryList, ListEntries } from "../../shared/entries.ts";
import type { z } from "zod";
import { Incomplete, liveQuery } from "../live/queries/live-query.ts";
import type { EntryEvent } from "../../shared/live.ts";
import type { EventContext, LiveQueries } from "../live/queries/live-query.ts";
import { registerLiveQueries } from "../live/live.ts";
import { patch, patchPerson } from "../live/queries/patch.ts";
import type { Person } from "../../shared/users.ts";
import { addPage, applyEntryEvent, compareEntries, isLoaded, mapEntry } from "./apply-entry-event.ts";

type Input = z.output<typeof ListEntries>;

/** The most pages that are fetched to show as much as before. */
const maxPages = 70;

type Answer = EntryList | Incomplete<EntryList>;

/** Applies an event, and fetches what it does not say about the list. */
function apply(list: EntryList, event: EntryEvent, { input, isOptimistic, viewerId }: EventContext<Input>): Answer {
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

const signedBy = (list: EntryList, person: Person): EntryList =>
  patch(list, {
    entries: list.entries.map((entry) =>
      entry.author ? patch(entry, { author: patchPerson(entry.author, person) }) : entry,
    ),
  });

/** A live blog's entries, fetched again as far as they are shown. */
const entryList = liveQuery<EntryList, Input>({
  topics: (_, { blogId }) => [`blog:${blogId}`, "me", "feed"],
  on: {
    "entry.posted": apply,
    "entry.edited": apply,
    "entry.withdrawn": apply,
    "entry.liked": apply,
    "viewer.entryLike": (list, { entryId, liked }, { isOptimistic }) =>
      patch(list, {
        entries: mapEntry(list.entries, entryId, (entry) =>
          entry.liked === liked
            ? entry
            : { ...entry, liked, likesCount: entry.likesCount + (isOptimistic ? (liked ? 1 : -1) : 0) },
        ),
      }),
    "person.changed": (list, { person }) => signedBy(list, person),
    "viewer.profileChanged": (list, { person }) => signedBy(list, person),
    // Their entries stay: they are the blog's.
    "person.gone": (list, { personId }) =>
      patch(list, {
        entries: list.entries.map((entry) =>
          entry.author?.id === personId ? { ...entry, author: null } : entry,
        ),
      }),
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

/** The live query of a live blog's entries; imported by the code that shows them. */
const entryQueries: LiveQueries = { "blogs.entries": entryList };

registerLiveQueries(entryQueries);
