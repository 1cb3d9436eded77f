import type { z } from "zod";
import { limits } from "../../shared/limits.ts";
import type { Person } from "../../shared/users.ts";
import type { Context } from "../context.ts";
import { pictureIdOf } from "../media/paths.ts";
import { openPictures } from "../media/queries.ts";
import type { KnownUser } from "../users/access.ts";
import { canSeeFollowers } from "../users/policy.ts";
import { userById } from "../users/queries.ts";
import * as queries from "./queries.ts";
import type { PersonShape } from "./shapes.ts";

/** Of people at most so many stand in one list, the newest. */
export const mostPeople = limits.people.most;

/** A path of this site as the absolute URL that clients elsewhere need. */
export const absolute = ({ config }: Pick<Context, "config">, path: string | null): string | null =>
  path === null ? null : path.startsWith("/") ? config.publicUrl + path : path;

/**
 * The same for pictures of blogs, whose reader is asked for here: those that are not for everybody are signed, since a
 * client elsewhere has no cookie to show.
 */
export async function pictureAddresses(
  ctx: Pick<Context, "config" | "database" | "signed">,
  paths: (string | null | undefined)[],
): Promise<(path: string | null | undefined) => string | null> {
  const ids = paths.flatMap((path) => (path && pictureIdOf(path)) || []);
  const open = await openPictures(ctx.database.read, ids);
  const signed = new Map<string, string>();
  for (const id of ids) if (!open.has(id)) signed.set(id, await ctx.signed.query(id));
  return (path) => (path ? `${absolute(ctx, path)}${signed.get(pictureIdOf(path) ?? "") ?? ""}` : null);
}

export const restPerson = (
  ctx: Pick<Context, "config">,
  { id, name, username, picture }: Person,
): z.output<typeof PersonShape> => ({ _id: id, name, username, profilePic: absolute(ctx, picture) });

/** Ids next to a count, at most `most`, but the viewer always among them if they are one of them. */
export function withViewer(
  ids: string[],
  viewerId: string | undefined,
  isOne: boolean,
  most: number = mostPeople,
): string[] {
  const shown = ids.slice(0, most);
  return isOne && viewerId && !shown.includes(viewerId)
    ? [viewerId, ...shown.slice(0, Math.max(0, most - 1))]
    : shown;
}

export const idObjects = (ids: string[]): { _id: string }[] => ids.map((id) => ({ _id: id }));

/** Somebody's followers. Where the account does not show them to the viewer, that they are one of them is all they get. */
export async function restFollowers(
  ctx: Context,
  { user, standing }: KnownUser,
): Promise<{ followers: { _id: string }[]; followersCount: number }> {
  const those = { viewer: ctx.viewer?.id ?? null, limit: mostPeople };
  const areShown = canSeeFollowers(standing, user);
  const ids = areShown ? await queries.followerIdsOf(ctx.database.read, user.id, those) : [];
  return {
    followers: idObjects(withViewer(ids, ctx.viewer?.id, standing.isFollower)),
    followersCount: areShown ? user.followersCount : 0,
  };
}

/** Who follows whoever signs in, and whom they follow. */
export async function restTies(ctx: Context, userId: string) {
  const { read } = ctx.database;
  const [user, followers, following] = await Promise.all([
    userById(read, userId),
    queries.followerIdsOf(read, userId, { viewer: userId, limit: mostPeople }),
    queries.followingIdsOf(read, userId, { viewer: userId, limit: mostPeople }),
  ]);
  return {
    followers: idObjects(followers),
    followersCount: user?.followersCount ?? 0,
    following: idObjects(following),
    followingCount: user?.followingCount ?? 0,
  };
}
