import type { ProfileTab } from "../../shared/routes.ts";

/** The viewer's relationship to an account. */
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

/** Returns whether a viewer can read an account; if private, only followers can (docs/specification.md, 6.17). */
export const canReadAccount = (standing: Standing, account: Pick<AccountFacts, "private">): boolean =>
  !account.private || standing.isSelf || standing.isFollower;

/** Returns whether a viewer can see followers and following (docs/specification.md, 6.13). */
export const canSeeFollowers = (
  standing: Standing,
  account: Pick<AccountFacts, "private" | "showFollowers">,
): boolean => standing.isSelf || (account.showFollowers && canReadAccount(standing, account));

/** Returns the tabs of a profile (docs/specification.md, 2.36 to 2.39). */
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

/** Returns the lists that can have entries for the viewer. */
export function visibleLists(standing: Standing, account: AccountFacts): ProfileList[] {
  const tabs = visibleTabs(standing, account);
  return [
    ...(canReadAccount(standing, account) ? tabs : []),
    ...(canSeeFollowers(standing, account) ? (["followers", "following"] as const) : []),
  ];
}
