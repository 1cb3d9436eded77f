import type { ProfileTab } from "../../shared/routes.ts";

/** How the one who looks stands to the one who is looked at. */
export interface Standing {
  isSelf: boolean;
  isFollower: boolean;
}

export interface AccountFacts {
  private: boolean;
  showLikedBlogs: boolean;
  showSavedBlogs: boolean;
  showFollowers: boolean;
}

/** Whether what the account publishes is for this reader: a private account is its followers' alone (docs/specification.md, 6.17). */
export const canReadAccount = (standing: Standing, account: Pick<AccountFacts, "private">): boolean =>
  !account.private || standing.isSelf || standing.isFollower;

/** Whether the lists of followers and following are shown (docs/specification.md, 6.13). */
export const canSeeFollowers = (
  standing: Standing,
  account: Pick<AccountFacts, "private" | "showFollowers">,
): boolean => standing.isSelf || (account.showFollowers && canReadAccount(standing, account));

/** Which tabs of a profile this reader has (docs/specification.md, 2.36 to 2.39). */
export function visibleTabs(standing: Standing, account: AccountFacts): ProfileTab[] {
  const readable = canReadAccount(standing, account);
  const tabs: ProfileTab[] = ["blogs"];
  if (standing.isSelf || (account.showSavedBlogs && readable)) tabs.push("saved-blogs");
  if (standing.isSelf || (account.showLikedBlogs && readable)) tabs.push("liked-blogs");
  if (standing.isSelf) tabs.push("draft-blogs");
  if (standing.isSelf || standing.isFollower) tabs.push("private-blogs");
  return tabs;
}

export type ProfileList = ProfileTab | "followers" | "following";

/** Which lists of a profile this reader finds anything in. */
export function listsInSight(standing: Standing, account: AccountFacts): ProfileList[] {
  const tabs = visibleTabs(standing, account);
  return [
    ...(canReadAccount(standing, account) ? tabs : []),
    ...(canSeeFollowers(standing, account) ? (["followers", "following"] as const) : []),
  ];
}
