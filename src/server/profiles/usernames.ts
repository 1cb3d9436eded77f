import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { looksLikeTheSite, skeletonOf } from "../../shared/username-skeleton.ts";
import { isReserved } from "../../shared/reserved-names.ts";
import type { Connection } from "../database/connection.ts";
import { latinOf } from "../runtime/latin.ts";
import type { Transaction } from "../database/writer.ts";
import * as queries from "./username-queries.ts";

/** Adds the skeleton, which finds look-alikes. */
export const withSkeleton = (username: string): { username: string; usernameSkeleton: string } => ({
  username,
  usernameSkeleton: skeletonOf(username),
});

/** Returns a free username: `Łukasz Müller` becomes `lukaszmuller`, with a number if taken. */
export async function freeUsername(connection: Connection, name: string, siteName: string): Promise<string> {
  const simplified = latinOf(name)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "")
    .slice(0, limits.username.max - 6);
  const base = simplified.length >= limits.username.min ? simplified : `writer${simplified}`;
  for (let tries = 0; ; tries++) {
    const candidates = Array.from({ length: 20 }, (_, index) =>
      tries === 0 && index === 0 ? base : `${base}${Math.floor(Math.random() * 10 ** (tries + 3))}`,
    );
    const takenSkeletons = await queries.takenSkeletons(connection, candidates.map(skeletonOf), {
      now: Date.now(),
    });
    // Redirecting names are only taken by choice.
    const redirects = await queries.redirecting(connection, candidates);
    const free = candidates.find(
      (candidate) =>
        !takenSkeletons.has(skeletonOf(candidate)) &&
        !redirects.has(candidate) &&
        !looksLikeTheSite(candidate, siteName),
    );
    if (free) return free;
  }
}

/**
 * Claims a username in the transaction that takes it, and ends its redirect. Throws `conflict` if it or a look-alike is taken,
 * held or reserved; `userId`'s own do not count.
 */
export async function claimUsername(
  tx: Transaction,
  username: string,
  { siteName, userId, now }: { siteName: string; userId?: string; now: number },
): Promise<void> {
  const refuse = (message: string) => new AppError("conflict", message, { field: "username" });
  if (isReserved(username) || looksLikeTheSite(username, siteName))
    throw refuse("That username could be taken for the site’s own. Please choose another.");
  if (await queries.isTaken(tx, username, { userId, now }))
    throw refuse("That username is taken. Please choose another.");
  if ((await queries.takenSkeletons(tx, [skeletonOf(username)], { userId, now })).size > 0)
    throw refuse("That username is too like one that is taken. Please choose another.");
  await queries.releaseUsername(tx, username);
}

/**
 * Claims a new username and holds the old one for a month, redirecting until another person takes it; the former owner can
 * return to it. Throws `too_many` if too many are held.
 */
export async function changeUsername(
  tx: Transaction,
  user: { id: string; username: string },
  username: string,
  siteName: string,
): Promise<void> {
  const now = Date.now();
  await claimUsername(tx, username, { siteName, userId: user.id, now });
  const heldNames = await queries.heldBy(tx, user.id, now);
  const [first] = heldNames;
  if (first && heldNames.length >= limits.username.changes) {
    const days = Math.ceil((first.until - now) / (24 * 60 * 60 * 1000));
    throw new AppError(
      "too_many",
      `A username can be changed ${limits.username.changes} times in ${limits.username.heldDays} days. Please wait ${days} ${days === 1 ? "day" : "days"}, or use an earlier one of yours.`,
      { field: "username", retryAfter: Math.ceil((first.until - now) / 1000) },
    );
  }
  await queries.holdUsername(tx, user.username, user.id);
}
