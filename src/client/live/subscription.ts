import { createTRPCClient } from "@trpc/client";
import type { TRPCLink } from "@trpc/client";
import type { AppRouter } from "../../server/router.ts";
import { errorCode, retryAfter } from "../api/errors.ts";
import type { Asked, Listener } from "./transport.ts";

/** The one subscription of a page. */
export interface Subscription {
  /** Subscribes to this in place of what it followed; null for nothing. */
  follow(asked: Asked | null): void;
  /** Ends it. Its listener hears nothing more of it. */
  end(): void;
}

/**
 * `live.follow` over this link, told to `listener`. `onFailure` hears that the way itself failed: the link would go on by
 * itself with what was asked for then, where the line asks for what is shown now.
 */
export function subscription(
  link: TRPCLink<AppRouter>,
  listener: Listener,
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
    follow(asked) {
      end();
      if (!asked) return;
      const mine = (current = {});
      // What was said to an earlier one may still be on its way.
      const during =
        <Args extends unknown[]>(act: (...args: Args) => void) =>
        (...args: Args): void =>
          void (current === mine && act(...args));
      const fail = (error: unknown): void => {
        const code = errorCode(error);
        if (code === undefined) return onFailure();
        end();
        listener.onRefused(code, retryAfter(error));
      };
      const begun = client.live.follow.subscribe(asked, {
        onStarted: during(() => listener.onAlive()),
        onData: during(({ id, data }) => listener.onTold(id, data)),
        onConnectionStateChange: during(({ error }) => void (error && fail(error))),
        onError: during(fail),
        onComplete: during(() => {
          end();
          listener.onRefused(undefined);
        }),
      });
      unsubscribe = () => begun.unsubscribe();
    },
  };
}
