import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { looksLikeTheSite, lookOf } from "../../shared/look-alike.ts";
import { reservedNames } from "../../shared/reserved-names.ts";
import type { Connection } from "../database/connection.ts";
import type { Transaction } from "../database/writer.ts";
import * as queries from "./username-queries.ts";

/** A username as it is stored: with its look, by which look-alikes are found. */
export const asUsername = (username: string): { username: string; look: string } => ({
  username,
  look: lookOf(username),
});

/** A username from a name: `Ana María Ruiz` becomes `anamariaruiz`, with a number where it is taken. */
export async function freeUsername(connection: Connection, name: string, siteName: string): Promise<string> {
  const plain = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "")
    .slice(0, limits.username.max - 6);
  const base = plain.length >= limits.username.min ? plain : `writer${plain}`;
  for (let tries = 0; ; tries++) {
    const candidates = Array.from({ length: 20 }, (_, index) =>
      tries === 0 && index === 0 ? base : `${base}${Math.floor(Math.random() * 10 ** (tries + 3))}`,
    );
    const taken = await queries.takenLooks(connection, candidates.map(lookOf), { now: Date.now() });
    // What leads to somebody is taken by choice alone.
    const leading = await queries.leadingElsewhere(connection, candidates);
    const free = candidates.find(
      (candidate) =>
        !taken.has(lookOf(candidate)) && !leading.has(candidate) && !looksLikeTheSite(candidate, siteName),
    );
    if (free) return free;
  }
}

/**
 * Sees to it that somebody may take this username: nobody has it, or one that could be taken for it, and it is not held for
 * whoever gave it up; from now on it leads to them no more. To be asked in the write that takes it. `userId` is who wants it, where they have an account: names
 * like their own stand in nobody's way. Throws `conflict`.
 */
export async function claimUsername(
  tx: Transaction,
  username: string,
  { siteName, userId, now }: { siteName: string; userId?: string; now: number },
): Promise<void> {
  const refuse = (message: string) => new AppError("conflict", message, { field: "username" });
  if (reservedNames.has(username) || looksLikeTheSite(username, siteName))
    throw refuse("That username could be taken for the site’s own. Please choose another.");
  if (await queries.isTaken(tx, username, { userId, now }))
    throw refuse("That username is taken. Please choose another.");
  if ((await queries.takenLooks(tx, [lookOf(username)], { userId, now })).size > 0)
    throw refuse("That username is too like one that is taken. Please choose another.");
  await queries.releaseUsername(tx, username);
}

/**
 * Gives one's username up for another, which is claimed here: the old one is nobody else's for a month, and leads to the new one
 * until somebody takes it. Its former owner may take it back. Throws `too_many` for whoever holds as many as they may.
 */
export async function changeUsername(
  tx: Transaction,
  user: { id: string; username: string },
  username: string,
  siteName: string,
): Promise<void> {
  const now = Date.now();
  await claimUsername(tx, username, { siteName, userId: user.id, now });
  const held = await queries.heldBy(tx, user.id, now);
  const [first] = held;
  if (first && held.length >= limits.username.changes) {
    const days = Math.ceil((first.until - now) / (24 * 60 * 60 * 1000));
    throw new AppError(
      "too_many",
      `A username can be changed ${limits.username.changes} times in ${limits.username.heldDays} days. Please wait ${days} ${days === 1 ? "day" : "days"}, or use an earlier one of yours.`,
      { field: "username", retryAfter: Math.ceil((first.until - now) / 1000) },
    );
  }
  await queries.holdUsername(tx, user.username, user.id);
}
