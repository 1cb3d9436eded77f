import { and, eq, sql } from "drizzle-orm";
import {
  notificationTopics,
  defaultChannels,
  type NotificationTopic,
  type NotificationChannels,
} from "../../shared/notifications.ts";
import { preparedQuery, type Connection } from "../database/connection.ts";
import { notificationSettings } from "../database/schema/notifications.ts";

const { userId, topic, page, push, mail } = notificationSettings;
const channels = { page, push, mail };

const ofTopic = preparedQuery((db) =>
  db
    .select(channels)
    .from(notificationSettings)
    .where(and(eq(userId, sql.placeholder("user")), eq(topic, sql.placeholder("topic"))))
    .prepare(),
);
const ofPerson = preparedQuery((db) =>
  db
    .select({ topic, ...channels })
    .from(notificationSettings)
    .where(eq(userId, sql.placeholder("user")))
    .prepare(),
);

/** Returns a person's channels for a topic. */
export const storedChannels = async (
  connection: Connection,
  user: string,
  about: NotificationTopic,
): Promise<NotificationChannels> =>
  (await ofTopic(connection).get({ user, topic: about })) ?? defaultChannels(about);

export async function allChannels(
  connection: Connection,
  user: string,
): Promise<Record<NotificationTopic, NotificationChannels>> {
  const chosen = await ofPerson(connection).all({ user });
  const known = new Map(chosen.map(({ topic: about, ...those }) => [about, those]));
  return Object.fromEntries(
    notificationTopics.map((about) => [about, known.get(about) ?? defaultChannels(about)]),
  ) as Record<NotificationTopic, NotificationChannels>;
}

export async function storeChannels(
  tx: Connection,
  user: string,
  about: NotificationTopic,
  chosen: NotificationChannels,
): Promise<void> {
  await tx.drizzle
    .insert(notificationSettings)
    .values({ userId: user, topic: about, ...chosen })
    .onConflictDoUpdate({ target: [userId, topic], set: chosen })
    .run();
}
