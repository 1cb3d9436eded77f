import { AppError } from "../../shared/errors.ts";
import { mentionsIn } from "../../shared/mentions.ts";
import type { MemberContext } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { userById, type UserRow } from "./queries.ts";
import { isCounted } from "./quotas.ts";
import { boundOf } from "./site-queries.ts";
import { countUse, day, dayOf, uncountUse } from "./use-queries.ts";

/** What is bounded on an account's first day: what spammers live by, and somebody new hardly needs. */
const bounded = {
  firstDayTalk: "links and mentions in comments and invitations to write",
  firstDayBlogs: "links in blogs",
} as const;

/** The first day of an account has no room for more. */
export class FirstDayIsFull extends AppError {}

/** Links in a comment. */
export const linksIn = (text: string): number => text.match(/\bhttps?:\/\/|\bwww\./gi)?.length ?? 0;

/** Links and mentions that a comment has more than before; fewer mentions give nothing back, since people were told of them. */
export const namedMore = (text: string, before = ""): number =>
  linksIn(text) - linksIn(before) + Math.max(0, mentionsIn(text).length - mentionsIn(before).length);

/** Links in a blog's HTML. */
export const linkedIn = (html: string): number => html.match(/<a [^>]*href="http/g)?.length ?? 0;

/** Since when somebody is there whom the site does not know yet; undefined for others. */
const newSince = ({ verifiedAt, isAdmin, isModerator }: UserRow): number | undefined =>
  verifiedAt !== null && Date.now() - verifiedAt < day && !isAdmin && !isModerator ? verifiedAt : undefined;

/** Counts what somebody new adds or, below 0, takes away, which is asked of them alone, in the write that does it. Throws `forbidden` where there is no room for all of it. */
export async function boundFirstDay(
  tx: Connection,
  ctx: MemberContext,
  rule: keyof typeof bounded,
  count: () => Promise<number> | number,
): Promise<void> {
  if (!isCounted(ctx)) return;
  const user = await userById(tx, ctx.viewer.id);
  const since = user && newSince(user);
  const added = since === undefined ? 0 : await count();
  if (since === undefined || added === 0) return;
  // All of it by the day on which it began, also after midnight.
  const use = { day: dayOf(since), what: rule, holder: ctx.viewer.id };
  if (added < 0) return uncountUse(tx, use, -added);
  const inAll = await countUse(tx, use, added);
  const most = await boundOf(tx, rule);
  if (inAll <= most) return;
  throw new FirstDayIsFull(
    "forbidden",
    `The first day of an account has room for ${most === 0 ? "no" : most.toLocaleString("en")} ${bounded[rule]}. Please leave some out, or come back with them tomorrow.`,
  );
}
