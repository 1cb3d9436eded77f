import { AppError } from "../../shared/errors.ts";
import { mentionsIn } from "../../shared/mentions.ts";
import type { MemberContext } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { userById, type UserRow } from "./queries.ts";
import { isLimitEnforced } from "./quotas.ts";
import { boundOf } from "../site/queries.ts";
import { countUse, day, dayOf, uncountUse } from "./usage-queries.ts";

/** What accounts younger than 24 hours can post only few of: spammers need it, others hardly do. Stored names. */
const limitedContents = {
  firstDayLinks: "links and mentions in comments and invitations to write",
  firstDayBlogs: "links in blogs",
} as const;

export class NewAccountLimitError extends AppError {}

export const linksIn = (text: string): number => text.match(/\bhttps?:\/\/|\bwww\./gi)?.length ?? 0;

/** Returns how many links and mentions an edit adds. Removed mentions do not count back: people were notified. */
export const addedLinksAndMentions = (text: string, before = ""): number =>
  linksIn(text) - linksIn(before) + Math.max(0, mentionsIn(text).length - mentionsIn(before).length);

export const linksInHtml = (html: string): number => html.match(/<a [^>]*href="http/g)?.length ?? 0;

/** Returns when a new account was confirmed; undefined for older ones and staff. */
const newSince = ({ verifiedAt, isAdmin, isModerator }: UserRow): number | undefined =>
  verifiedAt !== null && Date.now() - verifiedAt < day && !isAdmin && !isModerator ? verifiedAt : undefined;

/**
 * Counts what a new account adds (below 0: removes), in the transaction that stores it. Calls `count` for new accounts only.
 * Throws `forbidden` above the limit.
 */
export async function enforceNewAccountLimit(
  tx: Connection,
  ctx: MemberContext,
  rule: keyof typeof limitedContents,
  count: () => Promise<number> | number,
): Promise<void> {
  if (!isLimitEnforced(ctx)) return;
  const user = await userById(tx, ctx.viewer.id);
  const createdAt = user && newSince(user);
  const added = createdAt === undefined ? 0 : await count();
  if (createdAt === undefined || added === 0) return;
  // Counted under the first day, also after midnight.
  const use = { day: dayOf(createdAt), kind: rule, subject: ctx.viewer.id };
  if (added < 0) return uncountUse(tx, use, -added);
  const total = await countUse(tx, use, added);
  const limit = await boundOf(tx, rule);
  if (total <= limit) return;
  throw new NewAccountLimitError(
    "forbidden",
    `On its first day an account can post ${limit === 0 ? "no" : `up to ${limit.toLocaleString("en")}`} ${limitedContents[rule]}. Please remove some, or try again tomorrow.`,
  );
}
