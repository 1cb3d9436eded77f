import { AppError } from "../../shared/errors.ts";
import type { RateLimits } from "./limits.ts";

const day = 24 * 60 * 60 * 1_000;

/** What an account's first day has room for: what spammers live by, and somebody new hardly needs. */
const rooms = {
  firstDayTalk: "20 links and mentions in comments",
  firstDayBlogs: "100 links in blogs",
} as const;

/** Whether somebody was let in less than a day ago, and is nobody whom the site trusts with more. */
export const isNew = (user: { verifiedAt: number | null; isAdmin: boolean; isModerator: boolean }): boolean =>
  user.verifiedAt !== null && Date.now() - user.verifiedAt < day && !user.isAdmin && !user.isModerator;

/** Counts what somebody new adds. Throws `forbidden` where there is no room for all of it, and counts nothing then. */
export async function takeFirstDay(
  limits: RateLimits,
  rule: keyof typeof rooms,
  userId: string,
  added: number,
): Promise<void> {
  if (added <= 0) return;
  try {
    await limits.take(rule, userId, added);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await limits.giveBack(rule, userId, added);
    throw new AppError(
      "forbidden",
      `The first day of an account has room for ${rooms[rule]}. Please leave some out, or come back with them tomorrow.`,
    );
  }
}
