import type { z } from "zod";
import type { PushState, BrowserPushSubscription } from "../../shared/push.ts";
import type { MemberContext } from "../context.ts";
import { newId } from "../runtime/ids.ts";
import { userTopic } from "../live/stored-events.ts";
import {
  deleteSubscriptionOf,
  deleteSubscriptions,
  storeSubscription,
  subscriptionOf,
  subscriptionsOf,
} from "../push/queries.ts";
import { reportAccessChange, reportToSettings } from "./access-report.ts";
import { ownAccount } from "./own-account.ts";

/** For one account. */
const maxBrowsers = 10;

export async function pushState({ database, pushes, session }: MemberContext): Promise<PushState> {
  const subscription = session ? await subscriptionOf(database.read, session.handle) : undefined;
  return { key: pushes.key, on: subscription?.goneAt === null, renewable: subscription !== undefined };
}

/**
 * Subscribes this browser until its session's secret changes, and deletes the oldest subscriptions beyond the maximum. Reports
 * a new one by email: a thief at an open tab could receive notifications elsewhere.
 */
export async function subscribe(
  ctx: MemberContext,
  { endpoint, keys }: z.output<typeof BrowserPushSubscription>,
): Promise<{ on: boolean }> {
  const { database, limits, pushes, viewer, session } = ctx;
  await limits.take("push", viewer.id);
  pushes.check(endpoint, keys);
  if (!session) return { on: false };
  const user = await ownAccount(ctx);
  await database.write(async (tx) => {
    if ((await subscriptionOf(tx, session.handle))?.endpoint !== endpoint)
      await reportAccessChange(tx, ctx, user, "Push notifications were turned on");
    else await reportToSettings(tx, ctx, user.id);
    const now = Date.now();
    const row = {
      id: newId(now),
      userId: viewer.id,
      session: session.handle,
      endpoint,
      ...keys,
      createdAt: now,
    };
    await storeSubscription(tx, row);
    const excess = (await subscriptionsOf(tx, viewer.id)).slice(maxBrowsers);
    if (excess.length > 0)
      await deleteSubscriptions(
        tx,
        excess.map(({ id }) => id),
      );
  });
  return { on: true };
}

export async function unsubscribe({ database, session, viewer }: MemberContext): Promise<{ on: boolean }> {
  if (session)
    await database.write(async (tx) => {
      await deleteSubscriptionOf(tx, session.handle);
      tx.emit(userTopic(viewer.id), { kind: "viewer.signInChanged" });
    });
  return { on: false };
}
