import { hash } from "node:crypto";
import { AppError } from "../../shared/errors.ts";
import type { BoundName } from "../../shared/site.ts";
import { formatBytes } from "../../shared/format-bytes.ts";
import { addressKey } from "../auth/rate-limits.ts";
import type { Context, MemberContext } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { storageOf } from "./account-queries.ts";
import { userById } from "./queries.ts";
import { boundOf } from "../site/queries.ts";
import { countUse, day, dayOf, networkSecret, usageCount } from "./usage-queries.ts";

const hour = 60 * 60 * 1_000;

/** What an account can do only so often a day, as named in the refusal. */
const quotas = {
  dailyUploads: ["new picture", ""],
  dailyBlogs: ["new blog", " (drafts, too)"],
  dailyComments: ["comment", ""],
} as const satisfies Partial<Record<BoundName, readonly [what: string, more: string]>>;
type Quota = keyof typeof quotas;

/** Returns false for operators, and if limits are disabled. */
export const isLimitEnforced = (ctx: Pick<Context, "config" | "transport">): boolean =>
  ctx.config.rateLimit && ctx.transport !== "local";

/** Staff have no limits. */
async function isTrusted(connection: Connection, id: string): Promise<boolean> {
  const user = await userById(connection, id);
  return user !== undefined && (user.isAdmin || user.isModerator);
}

/** A daily limit is reached. */
export class DailyLimitError extends AppError {}

/** Imported pictures have no daily limit: an import adds the work of years at once. */
const hasDailyQuota = (ctx: MemberContext, quota: Quota): boolean =>
  isLimitEnforced(ctx) && !(ctx.importing && quota === "dailyUploads");

/** Counts one use, in its transaction. Throws `too_many` at the daily limit. */
export async function takeQuota(tx: Connection, ctx: MemberContext, quota: Quota): Promise<void> {
  if (!hasDailyQuota(ctx, quota)) return;
  const [now, limit] = [Date.now(), await boundOf(tx, quota)];
  const count = await countUse(tx, { day: dayOf(now), what: quota, holder: ctx.viewer.id }, 1);
  if (count > limit && !(await isTrusted(tx, ctx.viewer.id))) throw quotaExceeded(quota, limit, now);
}

/** Checks a quota without counting, before costly work. */
export async function requireQuota(ctx: MemberContext, quota: Quota): Promise<void> {
  if (!hasDailyQuota(ctx, quota)) return;
  const { read } = ctx.database;
  const [now, limit] = [Date.now(), await boundOf(read, quota)];
  const count = await usageCount(read, { day: dayOf(now), what: quota, holder: ctx.viewer.id });
  if (count >= limit && !(await isTrusted(read, ctx.viewer.id))) throw quotaExceeded(quota, limit, now);
}

function quotaExceeded(quota: Quota, limit: number, now: number): DailyLimitError {
  const [noun, more] = quotas[quota];
  if (limit === 0)
    return new DailyLimitError("forbidden", `This site isn’t accepting any ${noun}s${more} at the moment.`);
  const { resetsWhen, retryAfter } = untilTomorrow(now);
  return new DailyLimitError(
    "too_many",
    `You’ve reached today’s limit of ${limit.toLocaleString("en")} ${noun}${limit === 1 ? "" : "s"}${more}. Please try again ${resetsWhen}.`,
    // However short the wait, no client should retry automatically the next day.
    { retryAfter, field: "day" },
  );
}

function untilTomorrow(now: number): { resetsWhen: string; retryAfter: number } {
  const remainingMs = (dayOf(now) + 1) * day - now;
  const [count, unit] = remainingMs > hour ? [remainingMs / hour, "hour"] : [remainingMs / 60_000, "minute"];
  const rounded = Math.ceil(count);
  return {
    resetsWhen: `in ${rounded} ${unit}${rounded === 1 ? "" : "s"} (midnight UTC)`,
    retryAfter: Math.ceil(remainingMs / 1_000),
  };
}

/** Throws `too_large` if the account's storage has no room for these bytes. */
export async function requireStorage(
  connection: Connection,
  ctx: MemberContext,
  bytes: number,
): Promise<void> {
  if (!isLimitEnforced(ctx)) return;
  const limit = (await boundOf(connection, "storageMb")) * 1_000_000;
  const used = await storageOf(connection, ctx.viewer.id);
  if (used + bytes <= limit || (await isTrusted(connection, ctx.viewer.id))) return;
  throw new AppError(
    "too_large",
    `Your pictures can take up ${formatBytes(limit)} here. You have ${formatBytes(Math.max(0, limit - used))} left, and this one is ${formatBytes(bytes)}. ` +
      "Choose a smaller one, or remove others from your blogs: unused pictures free up space after 30 days.",
  );
}

/** Counts a sign-up from a network, stored as a keyed hash. Throws `too_many` at the daily limit. */
export async function countSignUp(
  tx: Connection,
  ctx: Pick<Context, "config" | "transport" | "address">,
): Promise<void> {
  if (!isLimitEnforced(ctx)) return;
  const now = Date.now();
  const network = hash("sha256", `${await networkSecret(tx)}:${addressKey(ctx.address)}`, "base64url");
  const count = await countUse(tx, { day: dayOf(now), what: "dailySignUps", holder: network }, 1);
  if (count <= (await boundOf(tx, "dailySignUps"))) return;
  const { resetsWhen, retryAfter } = untilTomorrow(now);
  throw new AppError(
    "too_many",
    `There were too many sign-ups from your network today. Please try again ${resetsWhen}, or from another network.`,
    { retryAfter },
  );
}
