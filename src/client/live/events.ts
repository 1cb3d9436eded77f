import { httpSubscriptionLink } from "@trpc/client";
import { subscription } from "./subscription.ts";
import type { Transport } from "./transport.ts";

/** The transport over server-sent events. */
export const overEvents: Transport = (listener) => {
  const events = subscription(httpSubscriptionLink({ url: "/trpc" }), listener, () => {
    events.end();
    listener.onLost(false);
  });
  return { follow: events.follow, close: events.end };
};
