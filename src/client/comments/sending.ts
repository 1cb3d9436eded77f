import { useMemo } from "react";
import { usePendingMutations } from "../live/live.ts";

/** The comments that the server has not answered yet, in the order of sending; `waiting` without a connection. */
export type Sending = ReadonlyMap<string, "sending" | "waiting">;

export function useSending(): Sending {
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
