import { useEffect, useMemo, useRef } from "react";
import type { Sort } from "../../shared/blogs.ts";
import type { FeedEvent } from "../../shared/events.ts";
import { errorCode } from "../api/errors.ts";
import { useLive } from "../api/live.ts";
import { trpc } from "../api/trpc.ts";
import { useViewer } from "../users/viewer.ts";
import { applyFeedEvent, filledUp, lacks } from "./feed-data.ts";
import { oneAtATime } from "./feed-fill.ts";
import type { Asking } from "./feed-fill.ts";

/** Keeps a page of the feed current while it is shown, and with it what is recommended beside it. */
export function useLiveFeed({ page, sort }: { page: number; sort: Sort }, cursor: string | undefined): void {
  const { client, blogs } = trpc.useUtils();
  const viewer = useViewer();
  const input = useMemo(() => ({ page, sort }), [page, sort]);
  const filling = useRef<Asking>(undefined);
  useEffect(() => {
    const fill = oneAtATime(
      () => client.blogs.list.query(input),
      (now) => blogs.list.setData(input, (known) => known && filledUp(known, now)),
    );
    filling.current = fill;
    return fill.stop;
  }, [client, blogs, input]);

  const apply = (event: FeedEvent, at: string): void => {
    const before = blogs.list.getData(input);
    if (!before) return;
    const after = applyFeedEvent(before, event, at);
    blogs.list.setData(input, after);
    if (lacks(before, after)) filling.current?.ask();
  };
  const drop = (blogId: string): void => {
    const known = blogs.recommended.getData();
    if (!known?.blogs.some(({ id }) => id === blogId)) return;
    const left = known.blogs.filter(({ id }) => id !== blogId);
    blogs.recommended.setData(undefined, { ...known, blogs: left });
    if (left.length === 0) void blogs.recommended.invalidate();
  };
  /** What is gone from the public feed may still be the viewer's own, or of somebody they follow. */
  const applyIfGone = async (event: FeedEvent & { kind: "blog.gone" }, at: string): Promise<void> => {
    const card = await client.blogs.card
      .query({ id: event.blogId })
      .catch((error: unknown) => (errorCode(error) === "NOT_FOUND" ? null : undefined));
    if (!card) {
      apply(event, at);
      drop(event.blogId);
      // Nobody knows: it comes back with the page as it is now.
      if (card === undefined) filling.current?.ask();
    } else
      blogs.list.setData(
        input,
        (known) =>
          known && { ...known, blogs: known.blogs.map((blog) => (blog.id === card.id ? card : blog)) },
      );
  };

  useLive<FeedEvent>(
    cursor === undefined ? null : `${sort} ${page}`,
    cursor,
    (since, handle) => client.blogs.feed.subscribe({ since }, handle),
    (event, at) => {
      if (event.kind !== "blog.published") filling.current?.doubt();
      if (event.kind === "reset") {
        void blogs.list.invalidate();
        void blogs.recommended.invalidate();
      } else if (event.kind === "blog.gone" && viewer) void applyIfGone(event, at);
      else apply(event, at);
    },
  );
}
