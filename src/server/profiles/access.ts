import type { FollowStatus } from "../../shared/users.ts";
import { AppError } from "../../shared/errors.ts";
import type { RequestViewer } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import type { AccountRelation } from "./policy.ts";
import { storedSettings } from "../site/queries.ts";
import { hasOtherAdmin } from "./account-queries.ts";
import { formerOwnerOf } from "./username-queries.ts";
import { blockBetween } from "../blocks/queries.ts";
import { hasRequested, isFollower, userById, userByUsername, type UserRow } from "./queries.ts";

export interface VisibleUser {
  user: UserRow;
  relation: AccountRelation;
}

/** Throws `forbidden` if only approved writers can publish and the viewer is none. */
export async function requireWriter(connection: Connection, viewer: RequestViewer): Promise<void> {
  if ((await storedSettings(connection)).writers !== "approved") return;
  const user = await userById(connection, viewer.id);
  if (user && (user.isAdmin || user.canPublish)) return;
  throw new AppError(
    "forbidden",
    "Publishing is limited to approved writers on this site. You can read, comment and like, and your existing blogs stay.",
  );
}

/** Throws `conflict` if nobody could administer the site without this account. */
export async function requireAnotherAdministrator(
  connection: Connection,
  user: Pick<UserRow, "id" | "isAdmin">,
): Promise<void> {
  if (user.isAdmin && !(await hasOtherAdmin(connection, user.id)))
    throw new AppError(
      "conflict",
      "The site would have no administrator. Make someone else an administrator first.",
    );
}

export async function relationTo(
  connection: Connection,
  viewer: RequestViewer | null,
  userId: string,
): Promise<AccountRelation> {
  return {
    isSelf: viewer?.id === userId,
    isFollower: viewer !== null && viewer.id !== userId && (await isFollower(connection, viewer.id, userId)),
  };
}

/**
 * Returns an account and the viewer's relationship to it, also by a former username. Throws `not_found` if it is unknown,
 * unverified, suspended, blocked either way, or limited and not followed.
 */
export async function visibleUser(
  connection: Connection,
  viewer: RequestViewer | null,
  key: { id: string } | { username: string },
): Promise<VisibleUser> {
  const user =
    "id" in key ? await userById(connection, key.id) : await userByAnyUsername(connection, key.username);
  if (!user || user.verifiedAt === null || (user.suspendedAt !== null && user.id !== viewer?.id))
    throw personNotFound();
  if (viewer && (await blockBetween(connection, viewer.id, user.id)).exists) throw personNotFound();
  const relation = await relationTo(connection, viewer, user.id);
  if (user.limitedAt !== null && !relation.isSelf && !relation.isFollower) throw personNotFound();
  return { user, relation };
}

const personNotFound = () => new AppError("not_found", "There’s no one with that name.");

async function userByAnyUsername(connection: Connection, username: string): Promise<UserRow | undefined> {
  const user = await userByUsername(connection, username);
  if (user) return user;
  const formerOwner = await formerOwnerOf(connection, username);
  return formerOwner === undefined ? undefined : userById(connection, formerOwner);
}

/** Returns the state of the follow button (docs/specification.md, 4.14). */
export async function followStatus(
  connection: Connection,
  viewerId: string | null,
  { user, relation }: { user: Pick<UserRow, "id" | "private">; relation: AccountRelation },
): Promise<FollowStatus> {
  if (relation.isSelf) return "self";
  if (relation.isFollower) return "following";
  return viewerId && user.private && (await hasRequested(connection, viewerId, user.id))
    ? "requested"
    : "follow";
}
