import type { TRPCClientErrorLike } from "@trpc/client";
import type { AppRouter } from "../../server/router.ts";
import { errorCode } from "./errors.ts";
import { retryDelay } from "./retry.ts";

/** What `client.x.live.subscribe` takes; written down here because each stream's own type differs in its event alone. */
export interface StreamHandlers<E> {
  onStarted(): void;
  onData(tracked: { id: string; data: E }): void;
  onError(error: TRPCClientErrorLike<AppRouter>): void;
  onConnectionStateChange(change: { state: "idle" | "connecting" | "pending" }): void;
}

export type Subscribe<E> = (
  since: string | undefined,
  handlers: StreamHandlers<E>,
) => { unsubscribe(): void };

/** Asking again does not help against these. */
const final = new Set(["BAD_REQUEST", "FORBIDDEN", "NOT_FOUND"]);

interface Options {
  /** Called when the stream is refused for want of a session: it is over, or the connection is older than it. */
  onUnauthorized?: (() => void) | undefined;
  patience?: number;
  pause?: (failures: number) => number;
}

/**
 * Follows a stream for as long as it takes, from `since` on and after each loss from behind the last event that came.
 * The link takes a stream that runs along to the next connection, but loses one that it was about to ask for when the
 * connection broke: with an error, or without a word. So a stream that ends with an error is asked for again after
 * `pause(failures)` ms, and one that does not start within `patience` ms of a connection right then.
 * Returns how to stop.
 */
export function follow<E>(
  subscribe: Subscribe<E>,
  since: string | undefined,
  onEvent: (event: E, cursor: string) => void,
  { onUnauthorized, patience = 5_000, pause = retryDelay }: Options = {},
): () => void {
  let at = since;
  let failures = 0;
  let stream: { unsubscribe(): void } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const startIn = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(start, ms);
  };
  const start = () => {
    clearTimeout(timer);
    stream?.unsubscribe();
    stream = subscribe(at, {
      onStarted: () => {
        failures = 0;
        clearTimeout(timer);
      },
      onData: ({ id, data }) => {
        at = id;
        onEvent(data, id);
      },
      onError: (error) => {
        clearTimeout(timer);
        const code = errorCode(error);
        if (final.has(code ?? "")) return;
        startIn(pause(failures++));
        if (code === "UNAUTHORIZED") onUnauthorized?.();
      },
      onConnectionStateChange: ({ state }) => {
        if (state === "pending") startIn(patience);
        else clearTimeout(timer);
      },
    });
  };
  start();
  return () => {
    clearTimeout(timer);
    stream?.unsubscribe();
  };
}
