import { muting } from "../../shared/muting.ts";
import type { NoticeWays } from "../../shared/notices.ts";
import type { NoticeGroup } from "../../shared/social.ts";
import type { Connection } from "../database/connection.ts";
import { mutedWordsOf } from "../users/mute-queries.ts";
import { userById, type UserRow } from "../users/queries.ts";
import { presentNotices } from "./present.ts";
import { unreadNotice, type NoticeRow } from "./queries.ts";
import { wants } from "./settings.ts";

/** Of these notices of somebody those in which no word stands that they have muted. */
export async function withoutMutedWords(
  connection: Connection,
  userId: string,
  rows: NoticeRow[],
): Promise<NoticeRow[]> {
  const mutes = muting(await mutedWordsOf(connection, userId));
  const said = ({ comment, blog }: NoticeRow) =>
    [comment, blog?.title ?? null].filter((text) => text !== null);
  return rows.filter((row) => !mutes({ texts: said(row) }));
}

/** The account, where it may be told of anything away from the site. */
export async function whoIsTold(connection: Connection, userId: string): Promise<UserRow | undefined> {
  const user = await userById(connection, userId);
  return user?.verifiedAt && user.suspendedAt === null ? user : undefined;
}

/**
 * One of somebody's notices at the moment in which they are told of it away from the site, with where they want that by now; undefined
 * where it was read or taken back, is about what they may no longer see, or where the account hears of nothing.
 */
export async function noticeToTell(
  connection: Connection,
  userId: string,
  id: string,
): Promise<{ notice: NoticeGroup; ways: NoticeWays } | undefined> {
  const row = (await whoIsTold(connection, userId)) && (await unreadNotice(connection, userId, id));
  const [notice] = presentNotices(await withoutMutedWords(connection, userId, row ? [row] : []));
  return notice && { notice, ways: await wants(connection, userId, notice.kind) };
}
