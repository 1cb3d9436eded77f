import { getQueryKey } from "@trpc/react-query";
import type { QueryKey } from "@tanstack/react-query";
import { trpc } from "../../api/trpc.ts";
import { refetchNow, updateAnswerAt } from "../../live/live.ts";
import type { MutationContext } from "../../live/mutations/optimistic-mutations.ts";
import { feedNow } from "./feed-data.ts";
import type { FeedPage, FeedSort } from "./feed-data.ts";

type Read<Page> = () => Promise<Page & { cursor: string }>;

interface Asked {
  page: number;
  sort: FeedSort;
}

/** How what is new for a page of blogs is brought into it. */
export interface Fresh {
  /** Shows the page as it is now, with all that waited. */
  all(): Promise<void>;
  /** Shows these of it, while others go on waiting; unless they `may` not come any more once they are here. Returns whether they came. */
  some(ids: readonly string[], may: () => boolean): Promise<boolean>;
}

/** Brings what is new into the page that is kept under `key`, which `read` reads again. */
export function freshOf<Page extends FeedPage>(key: QueryKey, read: Read<Page>): Fresh {
  return {
    all: () => refetchNow(key),
    some: async (ids, may) => {
      const now = await read();
      if (!may()) return false;
      const isJoined = updateAnswerAt<Page>(key, now.cursor, (page) => ({
        ...now,
        ...feedNow(page, now, ids),
      }));
      if (!isJoined) await refetchNow(key);
      return true;
    },
  };
}

const keyOf = ({ page, sort }: Asked): QueryKey =>
  sort === "following"
    ? getQueryKey(trpc.blogs.following, { page }, "query")
    : getQueryKey(trpc.blogs.list, { page, sort }, "query");

/** What is new for a page of the feed. */
export const freshOfFeed = ({ blogs }: MutationContext["client"], { page, sort }: Asked): Fresh =>
  freshOf<FeedPage>(keyOf({ page, sort }), () =>
    sort === "following" ? blogs.following.query({ page }) : blogs.list.query({ page, sort }),
  );

/** Shows a page of the feed as it is now, with what waited behind its button. */
export const showFresh = (asked: Asked): Promise<void> => refetchNow(keyOf(asked));
