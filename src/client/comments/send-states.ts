import { useMemo } from "react";
import { usePendingMutations } from "../live/live.ts";

/** The ids of unanswered comments in the order of sending; `waiting` without a connection. */
export type SendStates = ReadonlyMap<string, "sending" | "waiting">;

export function useSendStates(): SendStates {
  const pending = usePendingMutations();
  return useMemo(
    () =>
      new Map(
        pending
          .filter(({ name, state }) => name === "comments.create" && state !== "answered")
          .map(({ id, state }) => [id, state === "waiting" ? state : "sending"]),
      ),
    [pending],
  );
}
