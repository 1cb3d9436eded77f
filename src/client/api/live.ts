import { useEffect, useEffectEvent } from "react";
import type { TRPCClientErrorLike } from "@trpc/client";
import type { AppRouter } from "../../server/router.ts";

/** What `client.x.live.subscribe` takes; written down here because each stream's own type differs in its event alone. */
interface Handlers<E> {
  onData(tracked: { id: string; data: E }): void;
  onError(error: TRPCClientErrorLike<AppRouter>): void;
}

/**
 * Follows one live stream while the component is shown: starts at `cursor`, where the page's data were read, and after
 * each drop goes on behind the last event that came. A newer `cursor` does not start it again; another `key` does, and a
 * null `key` follows nothing.
 */
export function useLive<E>(
  key: string | null,
  cursor: string | undefined,
  subscribe: (since: string | undefined, handlers: Handlers<E>) => { unsubscribe(): void },
  onEvent: (event: E, cursor: string) => void,
): void {
  const start = useEffectEvent(() => {
    const stream = subscribe(cursor, {
      onData: ({ id, data }) => heard(data, id),
      onError: () => {},
    });
    return () => stream.unsubscribe();
  });
  const heard = useEffectEvent(onEvent);
  useEffect(() => {
    if (key === null) return;
    // After first paint, and never twice under StrictMode's rehearsal of effects.
    let stop: (() => void) | undefined;
    const timer = setTimeout(() => {
      stop = start();
    }, 0);
    return () => {
      clearTimeout(timer);
      stop?.();
    };
  }, [key]);
}
