import type { Told } from "../../shared/live.ts";
import type { Transport } from "./transport.ts";

/**
 * The stream as server-sent events, in tRPC's words: its own link would be part of what every page loads, since it
 * stands in one module with the others.
 */
export const overEvents: Transport = (listener) => {
  let source: EventSource | undefined;
  const close = (): void => {
    source?.close();
    source = undefined;
  };
  return {
    follow(asked) {
      close();
      if (!asked) return;
      const mine = new EventSource(`/trpc/live.follow?input=${encodeURIComponent(JSON.stringify(asked))}`);
      source = mine;
      const on = (type: string, act: (event: MessageEvent<string>) => void): void =>
        mine.addEventListener(type, (event) => void (source === mine && act(event as MessageEvent<string>)));
      on("connected", () => listener.onAlive());
      on("message", ({ data, lastEventId }) => listener.onTold(lastEventId, JSON.parse(data) as Told));
      on("serialized-error", ({ data }) => {
        close();
        const facts = (JSON.parse(data) as { data?: { code?: string; retryAfter?: number } }).data;
        listener.onRefused(facts?.code, facts?.retryAfter);
      });
      on("return", () => {
        close();
        listener.onRefused(undefined);
      });
      // The browser would connect again by itself, to what was asked then: the line asks for what is shown now.
      on("error", () => {
        close();
        listener.onLost(false);
      });
    },
    close,
  };
};
