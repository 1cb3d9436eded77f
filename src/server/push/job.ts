import { hash } from "node:crypto";
import { shorten } from "../../shared/document/shorten.ts";
import { noticeAddress, noticeSentence } from "../../shared/notice-words.ts";
import type { PushMessage } from "../../shared/push.ts";
import type { Parts } from "../context.ts";
import { Hopeless, type JobHandler } from "../jobs/jobs.ts";
import { noticeToTell, whoIsTold } from "../notices/to-tell.ts";
import type { PushWork } from "./delivery.ts";
import { liveSubscription, setGone, setTold, type SubscriptionRow } from "./queries.ts";

/** Characters of a title (what was said comes cut already), and how many are known to be shown somewhere. */
const most = { title: 200, told: 20 };

/** Sends one push. Whether its person may still see what it tells of, and wants it, is asked right before. */
export const sendPush: JobHandler<PushWork> = {
  atOnce: 4,
  timeLimit: 30_000,
  run: async (parts, { subscription: id, notice }, { signal }) => {
    const subscription = await liveSubscription(parts.database.read, id, Date.now());
    if (!subscription) return;
    const due =
      notice === undefined ? await withdrawn(parts, subscription) : await told(parts, subscription, notice);
    if (!due) return;
    const { message, left } = due;
    const topic = hash("sha256", message.kind === "notice" ? message.tag : "read", "base64url").slice(0, 32);
    const sent = await parts.pushes.send(subscription, message, { topic, signal });
    if (sent === "later") throw new Error("The push service is busy.");
    if (sent === "refused") throw new Hopeless("The push service refused it.");
    await parts.database.write((tx) =>
      sent === "gone" ? setGone(tx, id, Date.now()) : setTold(tx, id, left),
    );
  },
};

interface Due {
  message: PushMessage;
  /** What may be shown there then. */
  left: SubscriptionRow["told"];
}

/** Nothing to whoever looks at a page: it stands there. */
async function told(
  { database, presence }: Parts,
  { userId, told: before }: SubscriptionRow,
  id: string,
): Promise<Due | undefined> {
  const person = await whoIsTold(database.read, userId);
  const found = person && (await noticeToTell(database.read, userId, id));
  if (!person || !found?.ways.push || presence.isLooking(userId)) return undefined;
  const { notice } = found;
  const tag = `${notice.kind}:${notice.target}`;
  const message: PushMessage = {
    kind: "notice",
    tag,
    title: shorten(noticeSentence(notice), most.title),
    body: notice.excerpt ?? "",
    url: noticeAddress(notice, person),
  };
  const others = before.filter((one) => one.id !== id);
  return { message, left: [...others, { id, tag }].slice(-most.told) };
}

/** Closes what was read, once all that was told under its name is. */
async function withdrawn(
  { database }: Parts,
  { userId, told: before }: SubscriptionRow,
): Promise<Due | undefined> {
  const left: SubscriptionRow["told"] = [];
  for (const one of before) if (await noticeToTell(database.read, userId, one.id)) left.push(one);
  const tags = new Set(before.map(({ tag }) => tag));
  for (const { tag } of left) tags.delete(tag);
  return tags.size > 0 ? { message: { kind: "read", tags: [...tags] }, left } : undefined;
}
