import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { wayFor } from "../../ui/arrivals/queue.ts";
import type { Place } from "../../ui/arrivals/queue.ts";
import { isBusyAt, placeAt } from "../../ui/arrivals/reader.ts";
import { useArrivalQueue, useSlideIn } from "../../ui/arrivals/use-arrival-queue.ts";
import type { FeedPage } from "./feed-data.ts";
import type { Fresh } from "./show-fresh.ts";

const saidFor = 5_000;

/**
 * Has new blogs come in at the top of a page of them, as comments do in their list. Only `isTop` pages have a place for them:
 * on others they wait. Returns how many wait behind the button, and what is said of those that came.
 */
export function useFresh(
  feed: FeedPage | undefined,
  { some }: Pick<Fresh, "some">,
  isTop: boolean,
  list: () => Element | null,
): { onRequest: number; announcement: string } {
  const fresh = feed?.fresh ?? [];
  const [announcement, setAnnouncement] = useState("");
  const [sliding, setSliding] = useState<string | null>(null);
  /** On their way from the server. */
  const [asked, setAsked] = useState<readonly string[]>([]);
  /** These could not be had: the reader may try it. */
  const [failed, setFailed] = useState<readonly string[]>([]);
  const placeOfNew = (): Place => {
    const cards = list();
    // The last card goes to the next page; the focus would be lost with it.
    const isHeld = cards?.lastElementChild?.contains(document.activeElement);
    return !isTop || !cards || isHeld ? "passed" : placeAt(cards.getBoundingClientRect().top);
  };
  // Asked while a blog is on its way, when the page may show another list already.
  const placeNow = useRef(placeOfNew);
  useLayoutEffect(() => {
    placeNow.current = placeOfNew;
  });
  /** How many came since nothing was said. */
  const said = useRef(0);
  const bring = async (ids: readonly string[]): Promise<void> => {
    // Not all pages that hear of a blog may ask for it at once; the reader may have begun something meanwhile.
    await new Promise((resolve) => setTimeout(resolve, Math.random() * (feed?.jitterMs ?? 0)));
    const may = () => wayFor(placeNow.current(), isBusyAt(list()), ids.length) !== "on request";
    if (!may() || !(await some(ids, may))) return;
    said.current += ids.length;
    setAnnouncement(said.current === 1 ? "1 new blog" : `${said.current} new blogs`);
  };
  const { queue, waiting } = useArrivalQueue({
    list,
    placesOf: (ids) => {
      const place = placeOfNew();
      const there = ids.filter((id) => fresh.includes(id));
      return new Map(there.map((id) => [id, failed.includes(id) ? "passed" : place]));
    },
    show: (ids, way) => {
      setAsked((before) => [...before, ...ids]);
      if (way === "in turn") setSliding(ids[0] ?? null);
      void bring(ids)
        .catch(() => setFailed((before) => [...before, ...ids]))
        .finally(() => setAsked((before) => before.filter((id) => !ids.includes(id))));
    },
  });
  useSlideIn(
    sliding,
    (id) => {
      const card = list()?.querySelector<HTMLElement>(`[data-card="${id}"]`);
      return card ? [card] : [];
    },
    roomOfLead,
  );
  const waitingIds = fresh.filter((id) => !asked.includes(id)).join(" ");
  useEffect(() => queue.add(waitingIds.split(" ").filter(Boolean)), [queue, waitingIds]);
  useEffect(() => {
    if (announcement === "") return;
    const timer = setTimeout(() => {
      said.current = 0;
      setAnnouncement("");
    }, saidFor);
    return () => clearTimeout(timer);
  }, [announcement]);
  return { onRequest: waiting.onRequest, announcement };
}

/** The first card is the large one: what the one before it gave up is the room that its successor begins with. */
function roomOfLead(card: HTMLElement): number {
  const next = card.nextElementSibling;
  if (card.previousElementSibling || !next) return 0;
  return Math.max(0, card.getBoundingClientRect().height - next.getBoundingClientRect().height);
}
