import { useEffect, useState } from "react";
import { defaultOrder, entryOrders } from "../../shared/entries.ts";
import type { EntryOrder, LiveState } from "../../shared/entries.ts";
import { choose, isChosen } from "../storage/device-choice.ts";

const keyOf = (order: EntryOrder): string => `entries-${order}`;

/**
 * Returns the order of the entries: as the reader last chose on this device, else the one that the page began with. It stays when
 * the event ends, since everything would move.
 */
export function useOrder(live: LiveState): [EntryOrder, (order: EntryOrder) => void] {
  const [order, setOrder] = useState(() => defaultOrder(live));
  // After the first render: the server does not know the choice.
  useEffect(() => {
    const chosen = entryOrders.find((one) => isChosen(keyOf(one)));
    // oxlint-disable-next-line react-hooks-js/set-state-in-effect -- as above
    if (chosen) setOrder(chosen);
  }, []);
  return [
    order,
    (next) => {
      for (const one of entryOrders) choose(keyOf(one), one === next);
      setOrder(next);
    },
  ];
}
