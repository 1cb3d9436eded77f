import { and, eq, sql } from "drizzle-orm";
import { noticeTopics, usualWays, type NoticeTopic, type NoticeWays } from "../../shared/notices.ts";
import { hot, type Connection } from "../database/connection.ts";
import { noticeSettings } from "../database/schema/notices.ts";

const { userId, topic, page, push, mail } = noticeSettings;
const ways = { page, push, mail };

const ofTopic = hot((db) =>
  db
    .select(ways)
    .from(noticeSettings)
    .where(and(eq(userId, sql.placeholder("user")), eq(topic, sql.placeholder("topic"))))
    .prepare(),
);
const ofPerson = hot((db) =>
  db
    .select({ topic, ...ways })
    .from(noticeSettings)
    .where(eq(userId, sql.placeholder("user")))
    .prepare(),
);

/** Where somebody is told of what is about this. */
export const waysFor = async (
  connection: Connection,
  user: string,
  about: NoticeTopic,
): Promise<NoticeWays> => (await ofTopic(connection).get({ user, topic: about })) ?? usualWays(about);

/** The same of everything. */
export async function allWays(
  connection: Connection,
  user: string,
): Promise<Record<NoticeTopic, NoticeWays>> {
  const chosen = await ofPerson(connection).all({ user });
  const known = new Map(chosen.map(({ topic: about, ...those }) => [about, those]));
  return Object.fromEntries(
    noticeTopics.map((about) => [about, known.get(about) ?? usualWays(about)]),
  ) as Record<NoticeTopic, NoticeWays>;
}

/** Stores where somebody is told of what is about this from now on. */
export async function storeWays(
  tx: Connection,
  user: string,
  about: NoticeTopic,
  chosen: NoticeWays,
): Promise<void> {
  await tx.drizzle
    .insert(noticeSettings)
    .values({ userId: user, topic: about, ...chosen })
    .onConflictDoUpdate({ target: [userId, topic], set: chosen })
    .run();
}
