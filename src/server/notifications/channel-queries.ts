import { and, eq, sql } from "drizzle-orm";
import {
  notificationTopicNames,
  defaultChannels,
  type NotificationTopic,
  type NotificationChannels,
  type EmailFrequency,
} from "../../shared/notifications.ts";
import { preparedQuery, type Connection } from "../database/connection.ts";
import { notificationSettings, notificationEmails } from "../database/schema/notifications.ts";

const { userId, topic, page, push, mail } = notificationSettings;
const channels = { page, push, mail };

const ofTopic = preparedQuery((db) =>
  db
    .select(channels)
    .from(notificationSettings)
    .where(and(eq(userId, sql.placeholder("user")), eq(topic, sql.placeholder("topic")))),
);
const ofPerson = preparedQuery((db) =>
  db
    .select({ topic, ...channels })
    .from(notificationSettings)
    .where(eq(userId, sql.placeholder("user"))),
);

/** Returns a person's channels for a topic. */
export const storedChannels = async (
  connection: Connection,
  user: string,
  notificationTopic: NotificationTopic,
): Promise<NotificationChannels> =>
  (await ofTopic(connection).get({ user, topic: notificationTopic })) ?? defaultChannels(notificationTopic);

export async function allChannels(
  connection: Connection,
  user: string,
): Promise<Record<NotificationTopic, NotificationChannels>> {
  const chosen = await ofPerson(connection).all({ user });
  const chosenByTopic = new Map(
    chosen.map(({ topic: topicName, ...topicChannels }) => [topicName, topicChannels]),
  );
  return Object.fromEntries(
    notificationTopicNames.map((notificationTopic) => [
      notificationTopic,
      chosenByTopic.get(notificationTopic) ?? defaultChannels(notificationTopic),
    ]),
  ) as Record<NotificationTopic, NotificationChannels>;
}

export async function storeChannels(
  tx: Connection,
  user: string,
  notificationTopic: NotificationTopic,
  chosen: NotificationChannels,
): Promise<void> {
  await tx.drizzle
    .insert(notificationSettings)
    .values({ userId: user, topic: notificationTopic, ...chosen })
    .onConflictDoUpdate({ target: [userId, topic], set: chosen });
}

const emailOfPerson = preparedQuery((db) =>
  db
    .select()
    .from(notificationEmails)
    .where(
      and(
        eq(notificationEmails.userId, sql.placeholder("user")),
        eq(notificationEmails.frequency, sql.placeholder("frequency")),
      ),
    ),
);

type EmailStateRow = typeof notificationEmails.$inferSelect;

export const emailState = async (
  connection: Connection,
  user: string,
  emailFrequency: EmailFrequency,
): Promise<EmailStateRow | undefined> => emailOfPerson(connection).get({ user, frequency: emailFrequency });

export async function storeEmailState(
  tx: Connection,
  state: Pick<EmailStateRow, "userId" | "frequency"> & Partial<EmailStateRow>,
): Promise<void> {
  const { userId: _user, frequency: _frequency, ...change } = state;
  await tx.drizzle
    .insert(notificationEmails)
    .values(state)
    .onConflictDoUpdate({ target: [notificationEmails.userId, notificationEmails.frequency], set: change });
}
