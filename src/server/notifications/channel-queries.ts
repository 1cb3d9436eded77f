import { and, eq, sql } from "drizzle-orm";
import {
  notificationTopicNames,
  defaultChannels,
  type NotificationTopic,
  type NotificationChannels,
  type EmailFrequency,
} from "../../shared/notifications.ts";
import type { SubscriptionLevel } from "../../shared/notification-inputs.ts";
import { isHiddenFrom } from "../blocks/queries.ts";
import { preparedQuery, type Connection } from "../database/connection.ts";
import {
  blogSubscriptions,
  notificationSettings,
  notificationEmails,
} from "../database/schema/notifications.ts";
import { users } from "../database/schema/profiles.ts";

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

/** A person’s choices that decide whether and how they are notified. */
interface Choices {
  /** By a block, suspension or limit. */
  isActorHidden: boolean;
  /** The subscription to the blog; null for the default. */
  level: SubscriptionLevel | null;
  mutedWords: string[];
  channels: NotificationChannels;
}

const choices = preparedQuery((db) =>
  db
    .select({
      isActorHidden: sql<number>`${isHiddenFrom(sql`${sql.placeholder("actor")}`)}`,
      level: blogSubscriptions.level,
      mutedWords: users.mutedWords,
      channels,
    })
    .from(users)
    .leftJoin(
      blogSubscriptions,
      and(eq(blogSubscriptions.userId, users.id), eq(blogSubscriptions.blogId, sql.placeholder("blog"))),
    )
    .leftJoin(notificationSettings, and(eq(userId, users.id), eq(topic, sql.placeholder("topic"))))
    .where(eq(users.id, sql.placeholder("viewer"))),
);

/** Returns the choices of who would be notified (`userId`) for a topic, about an actor and a blog; undefined if the account is gone. */
export async function choicesOf(
  connection: Connection,
  about: { userId: string; actorId: string; blogId?: string | undefined },
  notificationTopic: NotificationTopic,
): Promise<Choices | undefined> {
  const row = await choices(connection).get({
    viewer: about.userId,
    actor: about.actorId,
    blog: about.blogId ?? null,
    topic: notificationTopic,
  });
  if (!row) return undefined;
  const { isActorHidden, channels: chosen, ...others } = row;
  return {
    ...others,
    isActorHidden: Boolean(isActorHidden),
    channels: chosen ?? defaultChannels(notificationTopic),
  };
}

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
