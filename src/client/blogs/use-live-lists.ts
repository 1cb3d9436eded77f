import type { FeedEvent } from "../../shared/events.ts";
import { useLive } from "../api/live.ts";
import { trpc } from "../api/trpc.ts";

interface Read {
  blogs: readonly { id: string }[];
}

/**
 * Follows the feed's stream from `cursor` on, where what the page shows was read, and calls `askAgain` when one of `shown`
 * is gone from there, and when so much has come or gone that every list has to be read again. A null `key` follows nothing.
 */
export function useLiveLists(
  key: string | null,
  cursor: string | undefined,
  shown: Read | undefined,
  askAgain: () => void,
): void {
  const { client } = trpc.useUtils();
  useLive<FeedEvent>(
    cursor === undefined ? null : key,
    cursor,
    (since, handle) => client.blogs.feed.subscribe({ since }, handle),
    (event) => {
      const isGone = event.kind === "blog.gone" && shown?.blogs.some(({ id }) => id === event.blogId);
      if (isGone || event.kind === "reset") askAgain();
    },
  );
}
