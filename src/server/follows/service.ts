import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import type { FollowAnswer, FollowRequest } from "../../shared/social.ts";
import type { FollowStatus } from "../../shared/users.ts";
import type { MemberContext } from "../context.ts";
import type { Transaction } from "../database/writer.ts";
import { profileTopic, userTopic } from "../live/stored-events.ts";
import { rightsTopic, blocksTopic } from "../live/signals.ts";
import { recipientsOfAuthor } from "../notifications/recipient-queries.ts";
import { notify, withdraw } from "../notifications/service.ts";
import { publishWithdrawn } from "../notifications/events.ts";
import { visibleUser } from "../profiles/access.ts";
import { canSeeFollowers } from "../profiles/policy.ts";
import { hasRequested, isFollower, userById } from "../profiles/queries.ts";
import { presentRequest } from "./present.ts";
import * as queries from "./queries.ts";

/** Follows a public account, asks a private one, or undoes either (docs/specification.md, 4.14). */
export const follow = async (
  ctx: MemberContext,
  input: { userId: string; follow: boolean },
): Promise<FollowAnswer> => (await changeFollow(ctx, input)).answer;

/** Changes a follow. Also returns the status before, which `toggle` inverts. */
export async function changeFollow(
  ctx: MemberContext,
  { userId, follow: requested }: { userId: string; follow: boolean | "toggle" },
): Promise<{ before: FollowStatus; answer: FollowAnswer }> {
  if (userId === ctx.viewer.id) throw new AppError("bad_request", "You can’t follow yourself.");
  return ctx.database.write(async (tx) => {
    const { user, relation } = await visibleUser(tx, ctx.viewer, { id: userId });
    const before: FollowStatus = relation.isFollower
      ? "following"
      : (await hasRequested(tx, ctx.viewer.id, userId))
        ? "requested"
        : "follow";
    // A new decision by the requester voids the rejection that could be undone.
    await queries.takeRejected(tx, ctx.viewer.id, userId, 0);
    const shouldFollow = requested === "toggle" ? before === "follow" : requested;
    let status: FollowStatus = relation.isFollower ? "following" : "follow";
    if (shouldFollow && !relation.isFollower)
      status = user.private
        ? await requestFollow(tx, ctx.viewer.id, userId)
        : await startFollow(tx, ctx.viewer.id, userId);
    if (!shouldFollow) status = await endFollow(tx, ctx.viewer.id, userId);
    tx.emit(userTopic(ctx.viewer.id), { kind: "viewer.follow", userId, status });
    // Without following, a limited account is hidden.
    const after = (await userById(tx, userId)) ?? user;
    const isFollowing = status === "following";
    const counts = canSeeFollowers({ isSelf: false, isFollower: isFollowing }, after);
    return { before, answer: { status, followersCount: counts ? after.followersCount : null } };
  });
}

async function requestFollow(tx: Transaction, requesterId: string, ownerId: string): Promise<FollowStatus> {
  if (await queries.insertRequest(tx, requesterId, ownerId, Date.now())) {
    tx.emit(userTopic(ownerId), { kind: "follow.requested", requesterId });
    await notify(tx, { userId: ownerId, kind: "request", actorId: requesterId, target: "me" });
  }
  return "requested";
}

/** Starts a follow, which answers a request. */
async function startFollow(tx: Transaction, followerId: string, followedId: string): Promise<FollowStatus> {
  if (await queries.deleteRequest(tx, followerId, followedId)) {
    tx.emit(userTopic(followedId), { kind: "follow.withdrawn", requesterId: followerId });
    await withdraw(tx, { userId: followedId, kind: "request", actorId: followerId, target: "me" });
  }
  if (await queries.insertFollow(tx, followerId, followedId, Date.now())) {
    tx.emit(userTopic(followedId), { kind: "follower.changed" });
    await notify(tx, { userId: followedId, kind: "follow", actorId: followerId, target: "me" });
    await publishWithdrawnOf(tx, followerId, followedId);
    publishFollow(tx, followerId, followedId);
  }
  await publishLimitChange(tx, followerId, followedId);
  tx.signal(rightsTopic(followerId));
  return "following";
}

const isLimited = async (tx: Transaction, userId: string): Promise<boolean> =>
  (await userById(tx, userId))?.limitedAt != null;

/** A limited account appears or disappears for a follower, whose open pages refetch. */
async function publishLimitChange(tx: Transaction, followerId: string, followedId: string): Promise<void> {
  if (!(await isLimited(tx, followedId))) return;
  tx.emit(userTopic(followerId), { kind: "viewer.blocksChanged" });
  tx.signal(blocksTopic(followerId));
}

/** Ends a follow or request. */
export async function endFollow(
  tx: Transaction,
  followerId: string,
  followedId: string,
): Promise<FollowStatus> {
  if (await queries.deleteRequest(tx, followerId, followedId))
    tx.emit(userTopic(followedId), { kind: "follow.withdrawn", requesterId: followerId });
  if (await queries.deleteFollow(tx, followerId, followedId)) {
    tx.emit(userTopic(followedId), { kind: "follower.changed" });
    await publishWithdrawnOf(tx, followerId, followedId);
    publishFollow(tx, followerId, followedId);
  }
  for (const kind of ["follow", "request"] as const)
    await withdraw(tx, { userId: followedId, kind, actorId: followerId, target: "me" });
  await publishLimitChange(tx, followerId, followedId);
  tx.signal(rightsTopic(followerId));
  return "follow";
}

function publishFollow(tx: Transaction, followerId: string, followedId: string): void {
  for (const [id, list] of [
    [followerId, "following"],
    [followedId, "followers"],
  ] as const) {
    tx.emit(profileTopic(id), { kind: "profile.changed" });
    tx.emit(profileTopic(id), { kind: "profile.listed", list });
  }
}

/** A follower's notifications about these blogs depend on the follow. */
async function publishWithdrawnOf(tx: Transaction, followerId: string, followedId: string): Promise<void> {
  publishWithdrawn(tx, await recipientsOfAuthor(tx, followedId, followerId));
}

const accepted = "Request accepted.";

/** Accepts or rejects a follow request. Throws `not_found` if none is pending. */
export async function handleRequest(
  ctx: MemberContext,
  { requesterId, action }: { requesterId: string; action: "accept" | "reject" },
): Promise<{ message: string }> {
  return ctx.database.write(async (tx) => {
    const request = await queries.requestBy(tx, ctx.viewer.id, requesterId);
    const notFound = new AppError("not_found", "This request was already canceled or answered.");
    if (!request) throw notFound;
    tx.emit(userTopic(ctx.viewer.id), { kind: "follow.withdrawn", requesterId });
    // A limited account gains no followers and does not learn why: the request stays pending.
    if (action === "accept" && (await isLimited(tx, ctx.viewer.id))) return { message: accepted };
    if (!(await queries.deleteRequest(tx, requesterId, ctx.viewer.id))) throw notFound;
    if (action === "reject")
      await queries.storeRejected(tx, requesterId, ctx.viewer.id, request.askedAt, Date.now());
    await withdraw(tx, { userId: ctx.viewer.id, kind: "request", actorId: requesterId, target: "me" });
    if (action === "accept")
      await notify(tx, {
        userId: requesterId,
        kind: "accepted",
        actorId: ctx.viewer.id,
        target: ctx.viewer.id,
      });
    const status: FollowStatus =
      action === "accept" ? await startFollow(tx, requesterId, ctx.viewer.id) : "follow";
    tx.emit(userTopic(requesterId), { kind: "follow.settled", userId: ctx.viewer.id, status });
    return { message: action === "accept" ? accepted : "Request rejected." };
  });
}

/** Undoes a rejection. Throws `not_found` if it was too long ago, or the requester has acted since. */
export async function restoreRequest(
  ctx: MemberContext,
  { userId }: { userId: string },
): Promise<{ message: string }> {
  return ctx.database.write(async (tx) => {
    const topic = userTopic(ctx.viewer.id);
    const since = Date.now() - limits.rejection.undoneFor;
    const askedAt = await queries.takeRejected(tx, userId, ctx.viewer.id, since);
    const [owner, requester] = [await userById(tx, ctx.viewer.id), await userById(tx, userId)];
    if (
      askedAt === undefined ||
      !owner?.private ||
      !requester ||
      (await isFollower(tx, userId, ctx.viewer.id)) ||
      !(await queries.insertRequest(tx, userId, ctx.viewer.id, askedAt))
    )
      throw new AppError("not_found", "This request can’t be restored anymore.");
    tx.emit(topic, { kind: "follow.requested", requesterId: userId });
    tx.emit(userTopic(userId), {
      kind: "follow.settled",
      userId: ctx.viewer.id,
      status: "requested",
    });
    await notify(tx, { userId: ctx.viewer.id, kind: "request", actorId: userId, target: "me" });
    return { message: "Request restored." };
  });
}

/** Removes a follower, whose open pages of a private account close at once. Idempotent; sends non-followers nothing. */
export async function removeFollower(
  ctx: MemberContext,
  { userId }: { userId: string },
): Promise<{ message: string }> {
  return ctx.database.write(async (tx) => {
    if (await isFollower(tx, userId, ctx.viewer.id)) {
      await endFollow(tx, userId, ctx.viewer.id);
      tx.emit(userTopic(userId), { kind: "follow.settled", userId: ctx.viewer.id, status: "follow" });
    }
    return { message: "Follower removed." };
  });
}

/** Returns pending requests, newest first. */
export async function pendingRequests(ctx: MemberContext): Promise<{ requests: FollowRequest[] }> {
  const rows = await queries.listRequests(ctx.database.read, ctx.viewer.id, limits.people.most);
  return { requests: rows.map(presentRequest) };
}

/** Requests in one transaction. */
const maxAccepted = 50;

/**
 * Accepts some requests of an account that became public (docs/specification.md, 4.17), newest first. Returns true when none is
 * left, or if the account is limited, which leaves them pending.
 */
export async function acceptSome(tx: Transaction, ownerId: string): Promise<boolean> {
  if (await isLimited(tx, ownerId)) return true;
  const requesters = await queries.requestersOf(tx, ownerId, maxAccepted);
  for (const { id } of requesters) {
    await startFollow(tx, id, ownerId);
    await notify(tx, { userId: id, kind: "accepted", actorId: ownerId, target: ownerId });
    tx.emit(userTopic(id), { kind: "follow.settled", userId: ownerId, status: "following" });
  }
  return requesters.length < maxAccepted;
}
