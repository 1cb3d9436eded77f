import { useEffect, useEffectEvent } from "react";
import type { UserEvent } from "../../shared/events.ts";

type Handler = (event: UserEvent) => void;

const handlers = new Set<Handler>();

/** Where the viewer's own stream goes on: at first the cursor that the page was rendered at. */
export const userCursor: { at: string | undefined } = { at: undefined };

/** Hands an event of the viewer's own stream to whoever listens. */
export function tellUserEvent(event: UserEvent): void {
  for (const handler of handlers) handler(event);
}

/** Calls `handle` for each event of the viewer's own stream while the component is shown. All share one stream. */
export function useUserEvents(handle: Handler): void {
  const heard = useEffectEvent(handle);
  useEffect(() => {
    const listener: Handler = (event) => heard(event);
    handlers.add(listener);
    return () => void handlers.delete(listener);
  }, []);
}
