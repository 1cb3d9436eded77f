import { useEffect, useEffectEvent } from "react";
import { follow, type Subscribe } from "./follow.ts";

/**
 * Follows one live stream while the component is shown: starts at `cursor`, where the page's data were read, and after
 * each drop goes on behind the last event that came. A newer `cursor` does not start it again; another `key` does, and a
 * null `key` follows nothing.
 */
export function useLive<E>(
  key: string | null,
  cursor: string | undefined,
  subscribe: Subscribe<E>,
  onEvent: (event: E, cursor: string) => void,
  onUnauthorized?: () => void,
): void {
  const start = useEffectEvent(() =>
    follow(subscribe, cursor, (event, at) => heard(event, at), { onUnauthorized }),
  );
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
