import type { z } from "zod";
import { limits } from "../../shared/limits.ts";
import type { Person } from "../../shared/users.ts";
import type { Context } from "../context.ts";
import { absolute } from "../media/picture-addresses.ts";
import type { VisibleUser } from "../profiles/access.ts";
import { canSeeFollowers } from "../profiles/policy.ts";
import { userById } from "../profiles/queries.ts";
import * as queries from "./queries.ts";
import type { PersonShape } from "./shapes.ts";

/** The most ids in an array of one blog or person. */
export const maxPeople = limits.people.most;

/** The most ids in an array of a card in a list. */
const maxInList = 100;

/** Returns the most ids in each array of `entries` cards or comments: `max`, or fewer to bound a long answer. */
export const idsEach = (entries: number, max: number = maxInList): number =>
  Math.min(max, Math.floor(20_000 / Math.max(1, entries)));

export const restPerson = (
  ctx: Pick<Context, "config">,
  { id, name, username, picture }: Person,
): z.output<typeof PersonShape> => ({ _id: id, name, username, profilePic: absolute(ctx, picture) });

/** Returns at most `limit` ids, with the viewer among them if `isOne`. */
export function withViewer(
  ids: string[],
  viewerId: string | undefined,
  isOne: boolean,
  limit: number = maxPeople,
): string[] {
  const shownIds = ids.slice(0, limit);
  return isOne && viewerId && !shownIds.includes(viewerId)
    ? [viewerId, ...shownIds.slice(0, Math.max(0, limit - 1))]
    : shownIds;
}

export const idObjects = (ids: string[]): { _id: string }[] => ids.map((id) => ({ _id: id }));

/** Returns a person's followers, or only the viewer if the others are hidden. */
export async function restFollowers(
  ctx: Context,
  { user, relation }: VisibleUser,
): Promise<{ followers: { _id: string }[]; followersCount: number }> {
  const options = { viewer: ctx.viewer?.id ?? null, limit: maxPeople };
  const areShown = canSeeFollowers(relation, user);
  const ids = areShown ? await queries.followerIdsOf(ctx.database.read, user.id, options) : [];
  return {
    followers: idObjects(withViewer(ids, ctx.viewer?.id, relation.isFollower)),
    followersCount: areShown ? user.followersCount : 0,
  };
}

export async function restTies(ctx: Context, userId: string) {
  const { read } = ctx.database;
  const [user, followers, following] = await Promise.all([
    userById(read, userId),
    queries.followerIdsOf(read, userId, { viewer: userId, limit: maxPeople }),
    queries.followingIdsOf(read, userId, { viewer: userId, limit: maxPeople }),
  ]);
  return {
    followers: idObjects(followers),
    followersCount: user?.followersCount ?? 0,
    following: idObjects(following),
    followingCount: user?.followingCount ?? 0,
  };
}
