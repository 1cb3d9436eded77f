import { entryLimits } from "../../shared/entries.ts";
import type { EntryList, ListEntries } from "../../shared/entries.ts";
import type { z } from "zod";
import { REFETCH, liveQuery } from "../live/queries/live-query.ts";
import type { EntryEvent } from "../../shared/live.ts";
import type { EventContext, LiveQueries } from "../live/queries/live-query.ts";
import { registerLiveQueries } from "../live/live.ts";
import { patch, patchPerson } from "../live/queries/patch.ts";
import type { Person } from "../../shared/users.ts";
import { addPage, applyEntryEvent, compareEntries, isLoaded, mapEntry } from "./apply-entry-event.ts";

type Input = z.output<typeof ListEntries>;

/** The most pages that are fetched to show as much as before. */
const maxPages = 70;

const apply = (list: EntryList, event: EntryEvent, { input, isOptimistic }: EventContext<Input>): EntryList =>
  applyEntryEvent(list, event, input.order, isOptimistic);

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
    "entry.edited": (list, event, about) => {
      // Of more key moments than are listed, another one may take its place.
      const wasListed = list.keys.some(({ id }) => id === event.entry.id);
      return wasListed && list.keys.length === entryLimits.keys ? REFETCH : apply(list, event, about);
    },
    "entry.withdrawn": (list, event, about) => {
      const wasListed = list.keys.some(({ id }) => id === event.entryId);
      return wasListed && list.keys.length === entryLimits.keys ? REFETCH : apply(list, event, about);
    },
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
    accessLost: ({ cursor }) => ({ entries: [], more: null, keys: [], total: 0, cursor }),
  },
  refetch: async (client, input, shown) => {
    let list = await client.blogs.entries.query(input);
    for (let pages = 1; pages < maxPages && list.more; pages++) {
      const end = shown()
        .entries.toSorted(compareEntries)
        .at(input.order === "oldest" ? -1 : 0);
      if (!end || isLoaded(list, end, input.order)) break;
      const page = await client.blogs.entries.query({ ...input, after: list.more });
      list = { ...addPage(list, page, input.order), cursor: page.cursor };
    }
    return list;
  },
});

/** The live query of a live blog's entries; imported by the code that shows them. */
const entryQueries: LiveQueries = { "blogs.entries": entryList };

registerLiveQueries(entryQueries);
