import type { z } from "zod";
import type { PushState, Subscription } from "../../shared/push.ts";
import type { MemberContext } from "../context.ts";
import { newId } from "../ids.ts";
import {
  deleteSubscriptionOf,
  deleteSubscriptions,
  hasSubscription,
  storeSubscription,
  subscriptionsOf,
} from "./queries.ts";

/** Of one account. */
const mostBrowsers = 10;

/** Whether the browser that asks is told of notices. */
export async function pushState({ database, pushes, viewer, session }: MemberContext): Promise<PushState> {
  const all = await subscriptionsOf(database.read, viewer.id);
  const on = all.some((one) => one.session === session?.handle);
  const renewable = on || (session !== null && (await hasSubscription(database.read, session.handle)));
  return { key: pushes.key, on, renewable };
}

/** Has the browser that asks told of notices, as long as its session goes on. Of too many the oldest goes. */
export async function subscribe(
  ctx: MemberContext,
  { endpoint, keys }: z.output<typeof Subscription>,
): Promise<{ on: boolean }> {
  const { database, limits, pushes, viewer, session } = ctx;
  await limits.take("push", viewer.id);
  pushes.check(endpoint, keys);
  if (!session) return { on: false };
  await database.write(async (tx) => {
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
    const tooMany = (await subscriptionsOf(tx, viewer.id)).slice(mostBrowsers);
    if (tooMany.length > 0)
      await deleteSubscriptions(
        tx,
        tooMany.map(({ id }) => id),
      );
  });
  return { on: true };
}

/** Tells the browser that asks of nothing any more. */
export async function unsubscribe({ database, session }: MemberContext): Promise<{ on: boolean }> {
  if (session) await database.write((tx) => deleteSubscriptionOf(tx, session.handle));
  return { on: false };
}
