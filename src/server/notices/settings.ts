import type { z } from "zod";
import {
  isAlwaysTold,
  topicOf,
  type NoticeSettings,
  type NoticeWays,
  type SetNoticeWays,
} from "../../shared/notices.ts";
import type { NotificationKind } from "../../shared/social.ts";
import type { MemberContext } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { userTopic } from "../live/facts.ts";
import { allWays, storeWays, waysFor } from "./settings-queries.ts";

/** Where somebody is told of such things: nowhere, where it is not on the page. */
export async function wants(
  connection: Connection,
  userId: string,
  kind: NotificationKind,
): Promise<NoticeWays> {
  return asTold(await waysFor(connection, userId, topicOf[kind]));
}

const asTold = (ways: NoticeWays): NoticeWays =>
  ways.page ? ways : { page: false, push: false, mail: "never" };

/** Where the viewer is told of what, as they have chosen. */
export const noticeSettings = async (ctx: MemberContext): Promise<{ settings: NoticeSettings }> => ({
  settings: await allWays(ctx.database.read, ctx.viewer.id),
});

/** Changes where the viewer is told of something. What moderators decide stays on the page. */
export async function setNoticeWays(
  ctx: MemberContext,
  { topic, ...change }: z.output<typeof SetNoticeWays>,
): Promise<{ settings: NoticeSettings }> {
  return ctx.database.write(async (tx) => {
    const before = await waysFor(tx, ctx.viewer.id, topic);
    const { page = before.page, push = before.push, mail = before.mail } = change;
    await storeWays(tx, ctx.viewer.id, topic, { page: page || isAlwaysTold(topic), push, mail });
    await tx.fact(userTopic(ctx.viewer.id), { kind: "own.noticeWays" });
    return { settings: await allWays(tx, ctx.viewer.id) };
  });
}
