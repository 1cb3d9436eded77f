import { httpSubscriptionLink } from "@trpc/client";
import { createSubscription } from "./subscription.ts";
import type { Transport } from "./transport.ts";

/** The transport over server-sent events. */
export const serverSentEventsTransport: Transport = (listener) => {
  const events = createSubscription(httpSubscriptionLink({ url: "/trpc" }), listener, () => {
    events.end();
    listener.onLost(false);
  });
  return { follow: events.follow, close: events.end };
};
