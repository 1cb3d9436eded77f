import { useMemo } from "react";
import { usePendingMutations } from "../live/live.ts";
import type { PendingMutation } from "../live/mutations/optimistic-mutations.ts";

/** The unanswered comments by id, in the order of sending. */
export type SendStates = ReadonlyMap<string, PendingMutation>;

export function useSendStates(): SendStates {
  const pending = usePendingMutations();
  return useMemo(
    () =>
      new Map(
        pending
          .filter(({ name, state }) => name === "comments.create" && state !== "answered")
          .map((one) => [one.id, one]),
      ),
    [pending],
  );
}
