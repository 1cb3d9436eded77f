import { LRUCache } from "lru-cache";
import type { Services } from "../context.ts";
import { draftTopic } from "../live/stored-events.ts";

/** The last message to a text's authors, not to be repeated with each keystroke. */
const lastMessages = new LRUCache<string, string>({ max: 500, ttl: 60_000 });

/** Shows a message to everyone who has the text open. */
export async function notifyWriters(
  { database }: Pick<Services, "database">,
  blogId: string,
  message: string,
): Promise<void> {
  if (lastMessages.get(blogId) === message) return;
  lastMessages.set(blogId, message);
  await database.write((tx) => tx.emit(draftTopic(blogId), { kind: "draft.message", message }));
}
