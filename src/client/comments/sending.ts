import { useMemo } from "react";
import { useOwnChanges } from "../live/live.ts";

/** Comments that the server has not answered yet, in the order of their sending: whether one waits for the connection. */
export type Sending = ReadonlyMap<string, "sending" | "waiting">;

export function useSending(): Sending {
  const changes = useOwnChanges();
  return useMemo(
    () =>
      new Map(
        changes
          .filter(({ name, state }) => name === "comments.create" && state !== "answered")
          .map(({ id, state }) => [id, state === "waiting" ? state : "sending"]),
      ),
    [changes],
  );
}
