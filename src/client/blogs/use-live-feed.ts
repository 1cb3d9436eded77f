import type { Sort } from "../../shared/blogs.ts";
import type { FeedEvent } from "../../shared/events.ts";
import { errorCode } from "../api/errors.ts";
import { useLive } from "../api/live.ts";
import { trpc } from "../api/trpc.ts";
import { useViewer } from "../users/viewer.ts";
import { applyFeedEvent } from "./feed-data.ts";

/** Keeps a page of the feed current while it is shown. */
export function useLiveFeed(input: { page: number; sort: Sort }, cursor: string | undefined): void {
  const { client, blogs } = trpc.useUtils();
  const viewer = useViewer();

  const apply = (event: FeedEvent, at: string): void => {
    blogs.list.setData(input, (page) => page && applyFeedEvent(page, event, at));
  };
  /** What is gone from the public feed may still be the viewer's own, or of somebody they follow. */
  const applyIfGone = async (event: FeedEvent & { kind: "blog.gone" }, at: string): Promise<void> => {
    const card = await client.blogs.card
      .query({ id: event.blogId })
      .catch((error: unknown) => (errorCode(error) === "NOT_FOUND" ? null : undefined));
    if (card === null) apply(event, at);
    else if (card)
      blogs.list.setData(
        input,
        (page) => page && { ...page, blogs: page.blogs.map((blog) => (blog.id === card.id ? card : blog)) },
      );
  };

  useLive<FeedEvent>(
    cursor === undefined ? null : `${input.sort} ${input.page}`,
    cursor,
    (since, handle) => client.blogs.feed.subscribe({ since }, handle),
    (event, at) => {
      if (event.kind === "reset") void blogs.list.invalidate();
      else if (event.kind === "blog.gone" && viewer) void applyIfGone(event, at);
      else apply(event, at);
    },
  );
}
