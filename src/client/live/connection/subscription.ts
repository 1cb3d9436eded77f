import { createTRPCClient } from "@trpc/client";
import type { TRPCLink } from "@trpc/client";
import type { AppRouter } from "../../../server/router.ts";
import { errorCode, retryAfter } from "../../api/errors.ts";
import type { LiveSubscription, TransportListener } from "./transport.ts";

export interface Subscription {
  /** Replaces the subscription; null ends it. */
  follow(subscription: LiveSubscription | null): void;
  /** Ends the subscription without a call of the listener. */
  end(): void;
}

/**
 * Subscribes to `live.follow` over a link and passes its messages to `listener`. Calls `onFailure` when the connection is
 * lost: the caller then closes the link, which would reconnect with the old topics.
 */
export function createSubscription(
  link: TRPCLink<AppRouter>,
  listener: TransportListener,
  onFailure: () => void,
): Subscription {
  const client = createTRPCClient<AppRouter>({ links: [link] });
  let current: object | undefined;
  let unsubscribe = (): void => {};
  const end = (): void => {
    current = undefined;
    unsubscribe();
    unsubscribe = () => {};
  };
  return {
    end,
    follow(subscription) {
      end();
      if (!subscription) return;
      const mine = (current = {});
      // Messages of an earlier subscription may still arrive.
      const during =
        <Args extends unknown[]>(handle: (...args: Args) => void) =>
        (...args: Args): void =>
          void (current === mine && handle(...args));
      const fail = (error: unknown): void => {
        const code = errorCode(error);
        if (code === undefined) return onFailure();
        end();
        listener.onRefused(code, retryAfter(error));
      };
      const started = client.live.follow.subscribe(subscription, {
        onStarted: during(() => listener.onAlive()),
        onData: during(({ id, data }) => listener.onMessage(id, data)),
        onConnectionStateChange: during(({ error }) => void (error && fail(error))),
        onError: during(fail),
        onComplete: during(() => {
          end();
          listener.onRefused(undefined);
        }),
      });
      unsubscribe = () => started.unsubscribe();
    },
  };
}
