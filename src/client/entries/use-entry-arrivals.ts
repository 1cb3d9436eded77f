import { useEffect, useState } from "react";
import type { EntryList, EntryOrder } from "../../shared/entries.ts";
import { trpc } from "../api/trpc.ts";
import { useLiveEvents } from "../live/live.ts";
import { useViewer } from "../session/viewer.ts";
import { useGlow } from "../ui/arrivals/use-glow.ts";
import { useArrivalQueue } from "../ui/arrivals/use-arrival-queue.ts";
import { anchoredList, entryElementId, positionsOfEntries } from "./elements.ts";

/** The milliseconds of the mark beside a new entry (entries.css). */
const glowMs = 4_000;
/** The newest headlines that are kept in the log for screen readers. */
const mostAnnounced = 5;

export interface EntryArrivals {
  /** Entries that are not rendered yet. */
  waiting: ReadonlySet<string>;
  /** How many of them the button shows. */
  onRequest: number;
  fresh: ReadonlySet<string>;
  /** The last entry that slid in. */
  sliding: string | null;
  /** Headlines for screen readers. */
  announced: readonly { id: string; headline: string }[];
  /** Shows all waiting entries; returns their ids. */
  show(): readonly string[];
}

/** Shows new entries of others, each as `arrivalModeFor` decides, with a mark. */
export function useEntryArrivals(
  blogId: string,
  order: EntryOrder,
  list: EntryList | undefined,
): EntryArrivals {
  const cache = trpc.useUtils();
  const viewer = useViewer();
  const [fresh, glow] = useGlow(glowMs);
  const [sliding, setSliding] = useState<string | null>(null);
  const [announced, setAnnounced] = useState<EntryArrivals["announced"]>([]);
  /** The cache is ahead of the rendered list. */
  const orderedIds = (): string[] =>
    cache.blogs.entries.getData({ blogId, order })?.entries.map(({ id }) => id) ?? [];
  const { queue, waiting } = useArrivalQueue({
    list: anchoredList.list,
    positionsOf: (ids) => positionsOfEntries(ids, orderedIds()),
    show: (ids, mode) => {
      if (mode === "in turn") setSliding(ids[0] ?? null);
      glow(ids);
    },
  });
  useEffect(() => queue.update(), [queue, list]);
  useLiveEvents((event, topic) => {
    if (topic !== `blog:${blogId}` || event.kind !== "entry.posted") return;
    const { id, author, headline } = event.entry;
    // A rendered entry came with an answer newer than the event.
    if ((viewer && author?.id === viewer.id) || document.getElementById(entryElementId(id))) return;
    setAnnounced((before) => [...before, { id, headline }].slice(-mostAnnounced));
    queue.add([id]);
  });
  return {
    waiting: waiting.ids,
    onRequest: waiting.onRequest,
    fresh,
    sliding,
    announced,
    show: () => {
      const ids = queue.takeAll();
      glow(ids);
      return ids;
    },
  };
}
