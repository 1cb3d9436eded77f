import { trpc } from "../../api/trpc.ts";
import { askAnew } from "../../live/live.ts";
import type { FeedSort } from "./feed-data.ts";

/** Shows a page of the feed as it is now, with what waited behind its button. */
export const showFresh = ({ page, sort }: { page: number; sort: FeedSort }): Promise<void> =>
  askAnew(sort === "following" ? trpc.blogs.following.key({ page }) : trpc.blogs.list.key({ page, sort }));
