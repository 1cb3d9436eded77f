import { getQueryKey } from "@trpc/react-query";
import type { EntryList, EntryOrder } from "../../shared/entries.ts";
import { trpc } from "../api/trpc.ts";
import { refetchNow, updateAnswerAt } from "../live/live.ts";
import { addPage } from "./apply-entry-event.ts";

type Cache = ReturnType<typeof trpc.useUtils>;

/** Attempts to load a page whose list changes meanwhile. */
const maxAttempts = 3;

/** Loads the page after the loaded end. If the list keeps changing meanwhile, it is fetched again. */
export async function loadMore(cache: Cache, blogId: string, order: EntryOrder): Promise<void> {
  const input = { blogId, order };
  const key = getQueryKey(trpc.blogs.entries, input, "query");
  const shown = (): EntryList | undefined => cache.blogs.entries.getData(input);
  for (let left = maxAttempts; left > 0; left--) {
    const after = shown()?.more;
    if (!after) return;
    const page = await cache.client.blogs.entries.query({ ...input, after });
    const before = shown();
    const isSameEnd = before?.more?.id === after.id && before.more.at === after.at;
    if (isSameEnd && updateAnswerAt<EntryList>(key, page.cursor, (list) => addPage(list, page, order)))
      return;
  }
  await refetchNow(key);
}

/** Loads pages until an entry is among them. Returns false if it is not found. */
export async function loadUntil(
  cache: Cache,
  blogId: string,
  order: EntryOrder,
  id: string,
): Promise<boolean> {
  for (;;) {
    const list = cache.blogs.entries.getData({ blogId, order });
    if (!list) return false;
    if (list.entries.some((entry) => entry.id === id)) return true;
    if (!list.more) return false;
    await loadMore(cache, blogId, order);
  }
}
