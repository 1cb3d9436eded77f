import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { arrivalModeFor } from "../../ui/arrivals/arrival-queue.ts";
import type { ArrivalPosition } from "../../ui/arrivals/arrival-queue.ts";
import { isReaderBusy, positionAt } from "../../ui/arrivals/reader-activity.ts";
import { useArrivalQueue, useSlideIn } from "../../ui/arrivals/use-arrival-queue.ts";
import type { FeedPage } from "./feed-data.ts";
import type { FreshBlogs } from "./fresh-blogs.ts";

const announcementMs = 5_000;

/**
 * Inserts new blogs at the top of an `isTop` page; on others they wait. Returns the number that wait behind the button, and an
 * announcement of the inserted ones.
 */
export function useFreshBlogs(
  feed: FeedPage | undefined,
  { showSome }: Pick<FreshBlogs, "showSome">,
  isTop: boolean,
  list: () => Element | null,
): { onRequest: number; announcement: string } {
  const fresh = feed?.fresh ?? [];
  const [announcement, setAnnouncement] = useState("");
  const [sliding, setSliding] = useState<string | null>(null);
  const [requestedIds, setRequestedIds] = useState<readonly string[]>([]);
  /** Ids that failed: the reader can try again. */
  const [failed, setFailed] = useState<readonly string[]>([]);
  const placeOfNew = (): ArrivalPosition => {
    const cards = list();
    // The last card moves to the next page, and the focus would be lost with it.
    const isLastFocused = cards?.lastElementChild?.contains(document.activeElement);
    return !isTop || !cards || isLastFocused ? "passed" : positionAt(cards.getBoundingClientRect().top);
  };
  // A ref: the page may show another list when a fetch returns.
  const placeNow = useRef(placeOfNew);
  useLayoutEffect(() => {
    placeNow.current = placeOfNew;
  });
  /** The number inserted since the announcement was last empty. */
  const insertedCount = useRef(0);
  const insertBlogs = async (ids: readonly string[]): Promise<void> => {
    // Spreads the fetches of all open pages. The reader may have begun something meanwhile.
    await new Promise((resolve) => setTimeout(resolve, Math.random() * (feed?.jitterMs ?? 0)));
    const mayInsert = () =>
      arrivalModeFor(placeNow.current(), isReaderBusy(list()), ids.length) !== "on request";
    if (!mayInsert() || !(await showSome(ids, mayInsert))) return;
    insertedCount.current += ids.length;
    setAnnouncement(insertedCount.current === 1 ? "1 new blog" : `${insertedCount.current} new blogs`);
  };
  const { queue, waiting } = useArrivalQueue({
    list,
    positionsOf: (ids) => {
      const place = placeOfNew();
      const presentIds = ids.filter((id) => fresh.includes(id));
      return new Map(presentIds.map((id) => [id, failed.includes(id) ? "passed" : place]));
    },
    show: (ids, mode) => {
      setRequestedIds((before) => [...before, ...ids]);
      if (mode === "in turn") setSliding(ids[0] ?? null);
      void insertBlogs(ids)
        .catch(() => setFailed((before) => [...before, ...ids]))
        .finally(() => setRequestedIds((before) => before.filter((id) => !ids.includes(id))));
    },
  });
  useSlideIn(
    sliding,
    (id) => {
      const card = list()?.querySelector<HTMLElement>(`[data-card="${id}"]`);
      return card ? [card] : [];
    },
    roomOfPreviousLead,
  );
  const waitingIds = fresh.filter((id) => !requestedIds.includes(id)).join(" ");
  useEffect(() => queue.add(waitingIds.split(" ").filter(Boolean)), [queue, waitingIds]);
  useEffect(() => {
    if (announcement === "") return;
    const timer = setTimeout(() => {
      insertedCount.current = 0;
      setAnnouncement("");
    }, announcementMs);
    return () => clearTimeout(timer);
  }, [announcement]);
  return { onRequest: waiting.onRequest, announcement };
}

/** Returns the height in pixels that the previous first, large card gave up: the new one slides in from there. */
function roomOfPreviousLead(card: HTMLElement): number {
  const next = card.nextElementSibling;
  if (card.previousElementSibling || !next) return 0;
  return Math.max(0, card.getBoundingClientRect().height - next.getBoundingClientRect().height);
}
