import { createTRPCClient, httpSubscriptionLink } from "@trpc/client";
import type { AppRouter } from "../../server/router.ts";
import { errorCode, retryAfter } from "../api/errors.ts";
import type { Transport } from "./transport.ts";

const client = createTRPCClient<AppRouter>({ links: [httpSubscriptionLink({ url: "/trpc" })] });

/** The stream as server-sent events, where WebSockets are blocked. */
export const overEvents: Transport = (listener) => {
  let stream: { unsubscribe(): void } | undefined;
  const close = (): void => {
    stream?.unsubscribe();
    stream = undefined;
  };
  return {
    follow(asked) {
      close();
      if (!asked) return;
      const mine = client.live.follow.subscribe(asked, {
        onData: ({ id, data }) => stream === mine && listener.onTold(id, data),
        onError: (error) => stream === mine && listener.onRefused(errorCode(error), retryAfter(error)),
        onComplete: () => stream === mine && listener.onRefused(undefined),
        // The browser would connect again by itself, to what was asked then: the line asks for what is shown now.
        onConnectionStateChange: ({ state, error }) =>
          state === "connecting" && error && stream === mine && listener.onLost(false),
      });
      stream = mine;
    },
    close,
  };
};
