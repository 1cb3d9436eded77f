import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { countText } from "../../shared/count-text.ts";
import { AppError } from "../../shared/errors.ts";
import type { BoundName } from "../../shared/site.ts";
import { formatBytes } from "../../shared/format-bytes.ts";
import { addressKey } from "../auth/rate-limits.ts";
import type { Context, MemberContext } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { pictureBytesOf, textBytesOf } from "./account-queries.ts";
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
  const count = await countUse(tx, { day: dayOf(now), kind: quota, subject: ctx.viewer.id }, 1);
  if (count > limit && !(await isTrusted(tx, ctx.viewer.id))) throw quotaExceeded(quota, limit, now);
}

/** Checks a quota without counting, before costly work. */
export async function requireQuota(ctx: MemberContext, quota: Quota): Promise<void> {
  if (!hasDailyQuota(ctx, quota)) return;
  const { read } = ctx.database;
  const [now, limit] = [Date.now(), await boundOf(read, quota)];
  const count = await usageCount(read, { day: dayOf(now), kind: quota, subject: ctx.viewer.id });
  if (count >= limit && !(await isTrusted(read, ctx.viewer.id))) throw quotaExceeded(quota, limit, now);
}

function quotaExceeded(quota: Quota, limit: number, now: number): DailyLimitError {
  const [noun, more] = quotas[quota];
  if (limit === 0)
    return new DailyLimitError("forbidden", `This site isn’t accepting any ${noun}s${more} at the moment.`);
  const { resetsWhen, retryAfter } = untilTomorrow(now);
  return new DailyLimitError(
    "too_many",
    `You’ve reached today’s limit of ${countText(limit, noun)}${more}. Please try again ${resetsWhen}.`,
    // However short the wait, no client should retry automatically the next day.
    { retryAfter, field: "day" },
  );
}

function untilTomorrow(now: number): { resetsWhen: string; retryAfter: number } {
  const remainingMs = (dayOf(now) + 1) * day - now;
  const [count, unit] = remainingMs > hour ? [remainingMs / hour, "hour"] : [remainingMs / 60_000, "minute"];
  const rounded = Math.ceil(count);
  return {
    resetsWhen: `in ${countText(rounded, unit)} (midnight UTC)`,
    retryAfter: Math.ceil(remainingMs / 1_000),
  };
}

const storageLimit = async (connection: Connection): Promise<number> =>
  (await boundOf(connection, "storageMb")) * 1_000_000;

/** Bytes of texts by account: as measured, with those stored since, since a measurement reads a page of each version. */
const measuredTexts = new LRUCache<string, { bytes: number; at: number; done: Promise<void> }>({
  max: 10_000,
});
/** Milliseconds after which texts are measured again: in general, and before a refusal. */
const measuredFor = { general: 10 * 60_000, refusal: 5_000 };

/** Measures an account's texts unless this was done lately. Not within a transaction. */
async function measureTexts(
  connection: Connection,
  userId: string,
  lately: number,
): Promise<{ bytes: number }> {
  const now = Date.now();
  let texts = measuredTexts.get(userId);
  if (!texts || texts.at < now - lately) {
    const begun = { bytes: 0, at: now, done: Promise.resolve() };
    begun.done = textBytesOf(connection, userId).then((bytes) => void (begun.bytes += bytes));
    begun.done.catch(() => measuredTexts.delete(userId));
    measuredTexts.set(userId, (texts = begun));
  }
  await texts.done;
  return texts;
}

/** Checks and counts a picture of `bytes` against the daily quota and the account's storage. */
export const pictureQuota = {
  /** Checks both without counting, before costly work. Not within a transaction. */
  async require(ctx: MemberContext, bytes: number): Promise<void> {
    const { read } = ctx.database;
    await requireQuota(ctx, "dailyUploads");
    if (isLimitEnforced(ctx)) await measureTexts(read, ctx.viewer.id, measuredFor.general);
    await requirePictureRoom(read, ctx, bytes);
  },
  /** Counts a picture in its transaction. */
  async take(tx: Connection, ctx: MemberContext, bytes: number): Promise<void> {
    await takeQuota(tx, ctx, "dailyUploads");
    await requirePictureRoom(tx, ctx, bytes);
  },
};

/** Throws `too_large` if the account's storage has no room for a picture of these bytes. */
async function requirePictureRoom(connection: Connection, ctx: MemberContext, bytes: number): Promise<void> {
  if (!isLimitEnforced(ctx)) return;
  const { id } = ctx.viewer;
  const limit = await storageLimit(connection);
  const used = (await pictureBytesOf(connection, id)) + (measuredTexts.get(id)?.bytes ?? 0);
  if (used + bytes <= limit || (await isTrusted(connection, id))) return;
  throw new AppError(
    "too_large",
    `Your texts and pictures can take up ${formatBytes(limit)} here. You have ${formatBytes(Math.max(0, limit - used))} left, and this one is ${formatBytes(bytes)}. ` +
      "Choose a smaller one, or remove others from your blogs: unused pictures free up space after 30 days.",
  );
}

/** There is no room for a text. */
export class StorageFullError extends AppError {}

/** How often an import stores a text: as document, HTML, words and version. Others are measured before they can add up. */
const importedCopies = 4;

/**
 * Counts text to be stored. Throws `too_large` if the storage of the blog's owner has no room for it, and `too_many` if the viewer
 * stores too much at a time, unless it is an import. Not for jobs. Not within a transaction.
 */
export async function takeText(ctx: MemberContext, ownerId: string, bytes: number, kept = ""): Promise<void> {
  if (!ctx.limits.isOn && !ctx.importing) return;
  if (isLimitEnforced(ctx)) await ctx.limits.take("text", ctx.viewer.id, Math.floor(bytes / 1_000));
  const texts = await requireTextRoom(ctx, ownerId, bytes, kept);
  if (texts) texts.bytes += ctx.importing ? bytes * importedCopies : bytes;
}

/** Throws `too_large` if an account's storage has no room for this text. Not within a transaction. */
export async function requireTextRoom(
  ctx: MemberContext,
  ownerId: string,
  bytes: number,
  kept = "",
): Promise<{ bytes: number } | undefined> {
  if (!isLimitEnforced(ctx)) return undefined;
  const { read } = ctx.database;
  const room = (await storageLimit(read)) - (await pictureBytesOf(read, ownerId)) - bytes;
  let texts = await measureTexts(read, ownerId, measuredFor.general);
  if (texts.bytes > room) texts = await measureTexts(read, ownerId, measuredFor.refusal);
  if (texts.bytes > room && !(await isTrusted(read, ownerId))) {
    const limit = formatBytes(await storageLimit(read));
    throw new StorageFullError(
      "too_large",
      (ownerId === ctx.viewer.id
        ? `Your storage is full: texts with their versions and pictures can take up ${limit} here. Delete blogs or versions that you don’t need.`
        : "The storage of this blog’s owner is full.") + kept,
    );
  }
  return texts;
}

/** Counts a sign-up from a network, stored as a keyed hash. Throws `too_many` at the daily limit. */
export async function countSignUp(
  tx: Connection,
  ctx: Pick<Context, "config" | "transport" | "address">,
): Promise<void> {
  if (!isLimitEnforced(ctx)) return;
  const now = Date.now();
  const network = hash("sha256", `${await networkSecret(tx)}:${addressKey(ctx.address)}`, "base64url");
  const count = await countUse(tx, { day: dayOf(now), kind: "dailySignUps", subject: network }, 1);
  if (count <= (await boundOf(tx, "dailySignUps"))) return;
  const { resetsWhen, retryAfter } = untilTomorrow(now);
  throw new AppError(
    "too_many",
    `There were too many sign-ups from your network today. Please try again ${resetsWhen}, or from another network.`,
    { retryAfter },
  );
}
