import { useEffect, useState } from "react";
import { defaultOrder, entryOrders } from "../../shared/entries.ts";
import type { EntryOrder, LiveState } from "../../shared/entries.ts";
import { choose, isChosen } from "../storage/device-choice.ts";

/** One choice for what runs, another for what has ended. */
const keyOf = ({ ended }: LiveState, order: EntryOrder): string =>
  `entries-${ended === null ? "on-air" : "ended"}-${order}`;

/**
 * Returns the order of the entries: as the reader last chose on this device, else the one that the page began with. It stays when
 * the event ends, since everything would move.
 */
export function useOrder(live: LiveState): [EntryOrder, (order: EntryOrder) => void] {
  const [order, setOrder] = useState(() => defaultOrder(live));
  const [first] = useState(live);
  // After the first render: the server does not know the choice.
  useEffect(() => {
    const chosen = entryOrders.find((one) => isChosen(keyOf(first, one)));
    // oxlint-disable-next-line react-hooks-js/set-state-in-effect -- as above
    if (chosen) setOrder(chosen);
  }, [first]);
  return [
    order,
    (next) => {
      for (const one of entryOrders) choose(keyOf(live, one), one === next);
      setOrder(next);
    },
  ];
}
