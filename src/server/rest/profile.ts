import type { Person } from "../../shared/users.ts";
import { isBeyondLastPage } from "../../shared/paging.ts";
import { presentCard } from "../blogs/present.ts";
import { listReadable } from "../blogs/written-queries.ts";
import { listLiked, listSaved, type CardRow } from "../blogs/card-queries.ts";
import { countKinds, visibleKinds } from "../blogs/policy.ts";
import type { Context } from "../context.ts";
import { avatarPath } from "../media/paths.ts";
import { maxPerPage, type PersonPage } from "./endpoints.ts";
import { bareCards, fillCards, maxPerPerson, spaceOfCards } from "./cards.ts";
import { absolute, maxPeople, restFollowers, restPerson } from "./present.ts";
import { yieldThread, bytesOf, ResponseSpace, type ListSpace } from "./response-space.ts";
import { visibleUser } from "../profiles/access.ts";
import { canSeeFollowers, visibleTabs } from "../profiles/policy.ts";
import { presentListed, presentPerson } from "../profiles/present.ts";
import { isFollower, userById } from "../profiles/queries.ts";
import { presentRequest } from "../social/present.ts";
import { countRequests, listPeople, listRequests, requestBy } from "../social/queries.ts";

/** For each list of another person, without `limit`. */
const defaultListSize = 100;
/** Followers in a response, whatever blogs there are. */
const minPeople = 100;

export const visibleFollowers = async (ctx: Context, userId: string) =>
  restFollowers(ctx, await visibleUser(ctx.database.read, ctx.viewer, { id: userId }));

/** Returns what the viewer can see of a profile (docs/specification.md, 7.21), and whether a list has more. */
export async function restProfile(ctx: Context, username: string, { page, limit }: PersonPage) {
  const { read } = ctx.database;
  const { user, relation } = await visibleUser(read, ctx.viewer, { username });
  const viewer = ctx.viewer?.id ?? null;
  const tabs = visibleTabs(relation, user);
  const showPeople = canSeeFollowers(relation, user);
  const size = limit ?? (relation.isSelf ? maxPerPerson : defaultListSize);
  // One more, to know whether there are more.
  const at = { viewer, limit: size + 1, offset: (page - 1) * size };
  const isBeyondLast = isBeyondLastPage(page, size);
  const cards = async (list: (from: typeof read, owner: string, page: typeof at) => Promise<CardRow[]>) => {
    await yieldThread();
    const rows = isBeyondLast ? [] : await list(read, user.id, at);
    return { shown: await bareCards(ctx, rows.slice(0, size).map(presentCard)), hasMore: rows.length > size };
  };
  const emptyList = { shown: [], hasMore: false };
  const kinds = visibleKinds(relation, user);
  const blogs = await cards((from, owner, listPage) => listReadable(from, owner, kinds, listPage));
  const saved = tabs.includes("saved-blogs") ? await cards(listSaved) : emptyList;
  const liked = tabs.includes("liked-blogs") ? await cards(listLiked) : emptyList;
  const requests = await followRequestsFor(ctx, user.id, relation.isSelf, isBeyondLast ? undefined : at);
  const people = async (list: "followers" | "following") => {
    await yieldThread();
    return showPeople
      ? await listPeople(read, list, { of: user.id, viewer, limit: maxPeople, offset: 0 })
      : [];
  };
  const asPerson = (person: Person) => restPerson(ctx, person);
  const followers = (await people("followers")).map((row) => asPerson(presentListed(row, viewer)));
  const following = (await people("following")).map((row) => asPerson(presentListed(row, viewer)));
  const self = viewer === null ? undefined : await userById(read, viewer);
  const viewerPerson = self && asPerson(presentPerson(self));

  const head = {
    _id: user.id,
    name: user.name,
    username: user.username,
    bio: user.bio,
    profilePic: absolute(ctx, avatarPath(user.pictureId)),
    private: user.private,
    showSavedBlogs: user.showSavedBlogs,
    showLikedBlogs: user.showLikedBlogs,
    showFollowers: user.showFollowers,
    followersCount: showPeople ? user.followersCount : 0,
    followingCount: showPeople ? user.followingCount : 0,
    followRequestsCount: requests.total,
    blogsCount: countKinds(kinds, user),
  };
  const room = new ResponseSpace();
  // Room for the viewer, who may be added to both lists of people.
  room.take(bytesOf(head) + 2 * bytesOf(viewerPerson ?? ""));
  // The first list is cut last.
  const [fitBlogs, fitRequests, fitSaved, fitLiked, fitFollowers, fitFollowing] = room.fit([
    spaceOfCards(blogs.shown),
    spaceOf(requests.shown, maxPerPage, maxPerPage),
    spaceOfCards(saved.shown),
    spaceOfCards(liked.shown),
    spaceOf(followers, minPeople),
    spaceOf(following, minPeople),
  ]) as [number, number, number, number, number, number];
  const shown = {
    blogs: blogs.shown.slice(0, fitBlogs),
    saveBlogs: saved.shown.slice(0, fitSaved),
    likeBlogs: liked.shown.slice(0, fitLiked),
  };
  await fillCards(ctx, Object.values(shown).flat(), room);
  /** Clients derive their follow button from it: a viewer in the list is always included. */
  const withSelf = (list: typeof followers, maxListed: number, isOne: boolean) => {
    const listed = list.slice(0, maxListed);
    return viewerPerson && isOne && !listed.some(({ _id }) => _id === viewerPerson._id)
      ? [viewerPerson, ...listed.slice(0, Math.max(0, maxListed - 1))]
      : listed;
  };
  const isFollowed = showPeople && viewer !== null && (await isFollower(read, user.id, viewer));
  return {
    user: {
      ...head,
      followers: withSelf(followers, fitFollowers, relation.isFollower),
      following: withSelf(following, fitFollowing, isFollowed),
      followRequests: requests.shown.slice(0, fitRequests),
      blogs: shown.blogs.map(({ card }) => card),
      saveBlogs: shown.saveBlogs.map(({ card }) => card),
      likeBlogs: shown.likeBlogs.map(({ card }) => card),
    },
    hasMore:
      [blogs, saved, liked, requests].some((list) => list.hasMore) ||
      fitBlogs < blogs.shown.length ||
      fitSaved < saved.shown.length ||
      fitLiked < liked.shown.length ||
      fitRequests < requests.shown.length,
  };
}

const spaceOf = (list: unknown[], least: number, step = 1): ListSpace => ({
  sizes: list.map(bytesOf),
  min: least,
  step,
});

/** Returns all requests to the owner, to others at most their own. `at` is undefined beyond the last page. */
async function followRequestsFor(
  ctx: Context,
  ownerId: string,
  isSelf: boolean,
  at: { limit: number; offset: number } | undefined,
) {
  const { read } = ctx.database;
  const viewerRequest = ctx.viewer && !isSelf ? await requestBy(read, ownerId, ctx.viewer.id) : undefined;
  const rows =
    isSelf && at
      ? await listRequests(read, ownerId, at.limit, at.offset)
      : viewerRequest
        ? [viewerRequest]
        : [];
  const requests = rows.map((row) => ({ ...restPerson(ctx, presentRequest(row)), bio: row.bio }));
  return {
    shown: at ? requests.slice(0, at.limit - 1) : requests,
    hasMore: at !== undefined && rows.length >= at.limit,
    total: isSelf ? await countRequests(read, ownerId) : rows.length,
  };
}
