import { hash } from "node:crypto";
import { AppError } from "../../shared/errors.ts";
import type { BoundName } from "../../shared/site.ts";
import { sizeOf } from "../../shared/size.ts";
import { countedAs } from "../auth/limits.ts";
import type { Context, MemberContext } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { storageOf } from "./account-queries.ts";
import { userById } from "./queries.ts";
import { boundOf } from "./site-queries.ts";
import { countUse, day, dayOf, networkSecret, usesOf } from "./use-queries.ts";

const hour = 60 * 60 * 1_000;

/** What an account does so often a day at most, as its refusal names it. */
const quotas = {
  dailyUploads: ["new picture", ""],
  dailyBlogs: ["new blog", " (drafts, too)"],
  dailyComments: ["comment", ""],
} as const satisfies Partial<Record<BoundName, readonly [what: string, more: string]>>;
type Quota = keyof typeof quotas;

/** Nobody counts what is done by whoever runs the site, nor anything where limits are off. */
export const isCounted = (ctx: Pick<Context, "config" | "transport">): boolean =>
  ctx.config.rateLimit && ctx.transport !== "local";

/** Those whom the site trusts have no bounds. */
async function isTrusted(connection: Connection, id: string): Promise<boolean> {
  const user = await userById(connection, id);
  return user !== undefined && (user.isAdmin || user.isModerator);
}

/** An import brings in at once what was written over years: it has bounds of its own, and no day's. */
const isOfADay = (ctx: MemberContext): boolean => isCounted(ctx) && ctx.importing !== true;

/** Counts one more of what the viewer does today, in the write that does it. Throws `too_many` where the day has no more room. */
export async function takeQuota(tx: Connection, ctx: MemberContext, quota: Quota): Promise<void> {
  if (!isOfADay(ctx)) return;
  const [now, most] = [Date.now(), await boundOf(tx, quota)];
  const count = await countUse(tx, { day: dayOf(now), what: quota, holder: ctx.viewer.id }, 1);
  if (count > most && !(await isTrusted(tx, ctx.viewer.id))) throw dayIsFull(quota, most, now);
}

/** The same asked and not counted, before work that costs something. */
export async function requireQuota(ctx: MemberContext, quota: Quota): Promise<void> {
  if (!isOfADay(ctx)) return;
  const { read } = ctx.database;
  const [now, most] = [Date.now(), await boundOf(read, quota)];
  const count = await usesOf(read, { day: dayOf(now), what: quota, holder: ctx.viewer.id });
  if (count >= most && !(await isTrusted(read, ctx.viewer.id))) throw dayIsFull(quota, most, now);
}

function dayIsFull(quota: Quota, most: number, now: number): AppError {
  const [what, more] = quotas[quota];
  if (most === 0)
    return new AppError("forbidden", `This site isn’t accepting any ${what}s${more} at the moment.`);
  const { when, retryAfter } = untilTomorrow(now);
  return new AppError(
    "too_many",
    `You’ve reached today’s limit of ${most.toLocaleString("en")} ${what}${most === 1 ? "" : "s"}${more}. Please try again ${when}.`,
    // However soon it ends, nothing waits for the next day unawares.
    { retryAfter, field: "day" },
  );
}

function untilTomorrow(now: number): { when: string; retryAfter: number } {
  const left = (dayOf(now) + 1) * day - now;
  const [count, unit] = left > hour ? [left / hour, "hour"] : [left / 60_000, "minute"];
  const whole = Math.ceil(count);
  return {
    when: `in ${whole} ${unit}${whole === 1 ? "" : "s"} (midnight UTC)`,
    retryAfter: Math.ceil(left / 1_000),
  };
}

/** Throws `too_large` where an account's pictures have no room for so many bytes more. */
export async function requireStorage(
  connection: Connection,
  ctx: MemberContext,
  bytes: number,
): Promise<void> {
  if (!isCounted(ctx)) return;
  const most = (await boundOf(connection, "storageMb")) * 1_000_000;
  const used = await storageOf(connection, ctx.viewer.id);
  if (used + bytes <= most || (await isTrusted(connection, ctx.viewer.id))) return;
  throw new AppError(
    "too_large",
    `Your pictures can take up ${sizeOf(most)} here. You have ${sizeOf(Math.max(0, most - used))} left, and this one is ${sizeOf(bytes)}. ` +
      "Choose a smaller one, or remove others from your blogs: unused pictures free up space after 30 days.",
  );
}

/**
 * Counts a sign-up of the network that an address is of, kept as a hash that this site alone can make. Throws `too_many` where
 * the day has no more room, whatever was entered.
 */
export async function takeSignUp(
  tx: Connection,
  ctx: Pick<Context, "config" | "transport" | "address">,
): Promise<void> {
  if (!isCounted(ctx)) return;
  const now = Date.now();
  const network = hash("sha256", `${await networkSecret(tx)}:${countedAs(ctx.address)}`, "base64url");
  const count = await countUse(tx, { day: dayOf(now), what: "dailySignUps", holder: network }, 1);
  if (count <= (await boundOf(tx, "dailySignUps"))) return;
  const { when, retryAfter } = untilTomorrow(now);
  throw new AppError(
    "too_many",
    `There were too many sign-ups from your network today. Please try again ${when}, or from another network.`,
    { retryAfter },
  );
}
