import type { z } from "zod";
import type { SetNotificationChannels, SetZone } from "../../shared/notification-inputs.ts";
import {
  notificationKinds,
  notificationTopics,
  type NotificationSettings,
  type NotificationChannels,
  type NotificationKind,
} from "../../shared/notifications.ts";
import type { MemberContext } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { userTopic } from "../live/stored-events.ts";
import { storeZone, zoneOf } from "../profiles/account-queries.ts";
import { allChannels, storeChannels, storedChannels } from "./channel-queries.ts";

/** Returns the channels of a kind; none if it is off on the site. */
export async function channelsFor(
  connection: Connection,
  userId: string,
  kind: NotificationKind,
): Promise<NotificationChannels> {
  return enabledChannels(await storedChannels(connection, userId, notificationKinds[kind].topic));
}

const enabledChannels = (channels: NotificationChannels): NotificationChannels =>
  channels.page ? channels : { page: false, push: false, mail: "never" };

interface StoredSettings {
  settings: NotificationSettings;
  /** The time zone of daily and weekly emails. */
  zone: string | null;
}
const storedSettings = async (connection: Connection, userId: string): Promise<StoredSettings> => ({
  settings: await allChannels(connection, userId),
  zone: await zoneOf(connection, userId),
});

export const notificationSettings = (ctx: MemberContext): Promise<StoredSettings> =>
  storedSettings(ctx.database.read, ctx.viewer.id);

/** Sets the viewer's channels for a topic. Moderation decisions stay on. */
export async function setNotificationChannels(
  ctx: MemberContext,
  { topic, ...change }: z.output<typeof SetNotificationChannels>,
): Promise<StoredSettings> {
  return ctx.database.write(async (tx) => {
    const before = await storedChannels(tx, ctx.viewer.id, topic);
    const { page = before.page, push = before.push, mail = before.mail } = change;
    await storeChannels(tx, ctx.viewer.id, topic, {
      page: page || notificationTopics[topic].isAlwaysOn === true,
      push,
      mail,
    });
    tx.emit(userTopic(ctx.viewer.id), { kind: "viewer.channelsChanged" });
    return storedSettings(tx, ctx.viewer.id);
  });
}

/** Sets the time zone from the next daily or weekly email on. */
export async function setZone(
  ctx: MemberContext,
  { zone }: z.output<typeof SetZone>,
): Promise<StoredSettings> {
  return ctx.database.write(async (tx) => {
    if ((await zoneOf(tx, ctx.viewer.id)) !== zone) {
      await storeZone(tx, ctx.viewer.id, zone);
      tx.emit(userTopic(ctx.viewer.id), { kind: "viewer.channelsChanged" });
    }
    return storedSettings(tx, ctx.viewer.id);
  });
}
