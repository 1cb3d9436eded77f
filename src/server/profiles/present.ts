import type { ListedPerson } from "../../shared/social.ts";
import type { FollowStatus, Person, Profile, Viewer } from "../../shared/users.ts";
import { avatarPath } from "../media/paths.ts";
import { canReadAccount, canSeeFollowers, visibleTabs } from "./policy.ts";
import type { VisibleUser } from "./access.ts";
import type { UserRow } from "./queries.ts";

export interface PersonRow {
  id: string;
  username: string;
  name: string;
  pictureId: string | null;
}

export const presentPerson = ({ id, username, name, pictureId }: PersonRow): Person => ({
  id,
  username,
  name,
  picture: avatarPath(pictureId),
});

/** Presents an imported author without an account or profile. */
export const presentGuest = (name: string): Person => ({ id: "", username: "", name, picture: null });

export interface ListedRow extends PersonRow {
  bio: string;
  private: boolean;
  followed: number;
  asked: number;
}

export const presentListed = (row: ListedRow, viewerId: string | null): ListedPerson => ({
  ...presentPerson(row),
  bio: row.bio,
  private: row.private,
  follow: row.id === viewerId ? "self" : row.followed ? "following" : row.asked ? "requested" : "follow",
});

/** Presents an account to its owner; `session` is the public handle. */
export const presentViewer = (user: UserRow, session: string): Viewer => ({
  ...presentPerson(user),
  email: user.email,
  bio: user.bio,
  interests: user.interests,
  mutedWords: user.mutedWords,
  private: user.private,
  showLikedBlogs: user.showLikedBlogs,
  showSavedBlogs: user.showSavedBlogs,
  showFollowers: user.showFollowers,
  showPresence: user.showPresence,
  isAdmin: user.isAdmin,
  isModerator: user.isModerator,
  writer: user.isAdmin || user.canPublish,
  textsSeenAt: new Date(user.textsSeenAt ?? user.createdAt).toISOString(),
  hasPassword: user.passwordHash !== null,
  session,
});

/** Counts own blogs and public co-authored ones. */
export const countPublic = (user: UserRow): number => user.publicBlogs + user.sharedBlogs;

/** Presents a profile's head as far as the viewer can see it. */
export function presentProfile({ user, relation }: VisibleUser, follow: FollowStatus): Profile {
  const readable = canReadAccount(relation, user);
  const countable = canSeeFollowers(relation, user);
  return {
    ...presentPerson(user),
    bio: user.bio,
    private: user.private,
    joinedAt: new Date(user.verifiedAt ?? user.createdAt).toISOString(),
    followersCount: countable ? user.followersCount : null,
    followingCount: countable ? user.followingCount : null,
    blogsCount: readable ? countPublic(user) : null,
    follow,
    closed: !readable,
    tabs: visibleTabs(relation, user),
  };
}
