import type { Delivery } from "../notifications/deliveries.ts";
import { enqueue } from "../jobs/jobs.ts";
import { subscriptionsOf } from "./queries.ts";

export const pushJob = "push";

/** A push to one browser; without `notification` it closes read ones. */
export interface PushWork {
  subscription: string;
  notification?: string;
}

/** Delivers notifications to a person's browsers. */
export const pushDelivery: Delivery = {
  send: async (tx, { id, userId }, channels) => {
    if (!channels.push) return;
    for (const { id: subscription } of await subscriptionsOf(tx, userId))
      await enqueue(tx, pushJob, { subscription, notification: id } satisfies PushWork);
  },
  read: async (tx, userId) => {
    for (const { id: subscription, displayed } of await subscriptionsOf(tx, userId))
      if (displayed.length > 0) await enqueue(tx, pushJob, { subscription } satisfies PushWork);
  },
};
