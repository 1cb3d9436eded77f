import type { Delivery } from "../notifications/deliveries.ts";
import { enqueue } from "../jobs/jobs.ts";
import { subscriptionsOf } from "./queries.ts";

export const pushJob = "push";

/** A push to one browser. */
export interface PushWork {
  subscription: string;
  notification: string;
}

/** Delivers notifications to a person's browsers. */
export const pushDelivery: Delivery = {
  send: async (tx, { id, userId }, channels) => {
    if (!channels.push) return;
    for (const { id: subscription } of await subscriptionsOf(tx, userId))
      await enqueue(tx, pushJob, { subscription, notification: id } satisfies PushWork);
  },
};
