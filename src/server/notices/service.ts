import type { NoticeList, NoticeName, NotificationKind } from "../../shared/social.ts";
import { muting } from "../../shared/muting.ts";
import { mayReadBlog } from "../blogs/access.ts";
import type { MemberContext } from "../context.ts";
import type { Transaction } from "../database/writer.ts";
import { inSteps } from "../database/steps.ts";
import { newId } from "../ids.ts";
import { userTopic } from "../live/facts.ts";
import { mutedWordsOf } from "../users/mute-queries.ts";
import { markNoticesSeen } from "../users/notice-queries.ts";
import { isPersonHidden } from "../users/block-queries.ts";
import { deliver, tellRead } from "./deliveries.ts";
import { presentNotices } from "./present.ts";
import { wants } from "./settings.ts";
import { withoutMutedWords } from "./to-tell.ts";
import { tellWithdrawn } from "./telling.ts";
import * as queries from "./queries.ts";
import { wayOf } from "./watch-queries.ts";

/** Something that happened to somebody. `target` is what it is about: notices about one target are shown as one. */
export interface Notice {
  userId: string;
  kind: NotificationKind;
  actorId: string;
  target: string;
  blogId?: string;
  commentId?: string;
}

/** What is told to the author of the blog, who may read it in any case, and to whom they invite, who may know its title. */
const inAnyCase: ReadonlySet<NotificationKind> = new Set(["comment", "held", "like", "invited", "joined"]);

/** Rows looked through for one list. */
const depth = 300;
/** Rows marked in one transaction: some milliseconds. */
const atOnce = 500;

/** Tells somebody of something, in the transaction of the thing itself: never of their own acts, of what they may not read, between people of whom one has blocked the other, in a blog or words they have muted, or of what they want to hear nothing. */
export async function notify(tx: Transaction, notice: Notice): Promise<void> {
  if (notice.userId === notice.actorId) return;
  if (await isPersonHidden(tx, notice.userId, notice.actorId)) return;
  if (notice.blogId && (await wayOf(tx, notice.userId, notice.blogId)) === "mute") return;
  const words = await mutedWordsOf(tx, notice.userId);
  if (words.length > 0 && muting(words)({ texts: await queries.textsOf(tx, notice) })) return;
  if (notice.blogId && !inAnyCase.has(notice.kind)) {
    if (!(await mayReadBlog(tx, { id: notice.userId, isAdmin: false }, { id: notice.blogId }))) return;
  }
  await store(tx, notice);
}

/** Tells somebody of what the site's moderators decided. They stand in it for whoever acted, who is not named. */
export const notifyForSite = (tx: Transaction, notice: Omit<Notice, "actorId">): Promise<void> =>
  store(tx, { ...notice, actorId: notice.userId });

async function store(tx: Transaction, notice: Notice): Promise<void> {
  const ways = await wants(tx, notice.userId, notice.kind);
  if (!ways.page) return;
  const createdAt = Date.now();
  const id = await queries.insertNotice(tx, { ...notice, id: newId(), createdAt });
  await tx.fact(userTopic(notice.userId), { kind: "notification.created" });
  const { userId, kind, target } = notice;
  await deliver(tx, { id, userId, kind, target, createdAt }, ways);
}

/** Takes a notice back: what it told of was undone. */
export async function withdraw(tx: Transaction, notice: Omit<Notice, "blogId" | "commentId">): Promise<void> {
  if (await queries.deleteNotice(tx, notice)) await tellWithdrawn(tx, [notice.userId]);
}

/** The viewer's notices, newest first, grouped by what they are about, and how many of them are unread and unseen. */
export async function listNotices(ctx: MemberContext): Promise<NoticeList> {
  const { read } = ctx.database;
  const [rows, unread, unseen] = await Promise.all([
    queries.newestNotices(read, ctx.viewer.id, depth),
    queries.countUnread(read, ctx.viewer.id),
    queries.countUnseen(read, ctx.viewer.id),
  ]);
  const notices = presentNotices(await withoutMutedWords(read, ctx.viewer.id, rows));
  const [newest] = rows;
  return { notices, unread, unseen, newest: newest ? new Date(newest.createdAt).toISOString() : null };
}

/** Notes that the viewer has opened a list whose newest notice is of then: on all their pages the bell shows only newer ones. */
export async function seeNotices(ctx: MemberContext, newest: string): Promise<{ unseen: number }> {
  const { id } = ctx.viewer;
  const at = Math.min(Date.parse(newest), Date.now());
  return ctx.database.write(async (tx) => {
    if (await markNoticesSeen(tx, id, at)) await tx.fact(userTopic(id), { kind: "notification.seen" });
    return { unseen: await queries.countUnseen(tx, id) };
  });
}

/** Marks all notices as read, or those about one target; many go in steps, each a write of its own. */
export async function readNotices(ctx: MemberContext, only?: NoticeName): Promise<{ unread: number }> {
  const { id } = ctx.viewer;
  const now = Date.now();
  let marked = 0;
  let unread = 0;
  await inSteps(ctx.database, async (tx) => {
    const some = await queries.markRead(tx, id, now, atOnce, only);
    marked += some;
    if (some === atOnce) return false;
    if (marked > 0) {
      await tx.fact(userTopic(id), { kind: "notification.read", only });
      await tellRead(tx, id);
    }
    unread = await queries.countUnread(tx, id);
    return true;
  });
  return { unread };
}
