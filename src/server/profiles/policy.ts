import type { ProfileTab } from "../../shared/routes.ts";

/** The viewer's relationship to an account. */
export interface AccountRelation {
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
export const canReadAccount = (relation: AccountRelation, account: Pick<AccountFacts, "private">): boolean =>
  !account.private || relation.isSelf || relation.isFollower;

/** Returns whether a viewer can see followers and following (docs/specification.md, 6.13). */
export const canSeeFollowers = (
  relation: AccountRelation,
  account: Pick<AccountFacts, "private" | "showFollowers">,
): boolean => relation.isSelf || (account.showFollowers && canReadAccount(relation, account));

/** Returns the tabs of a profile (docs/specification.md, 2.36 to 2.39). */
export function visibleTabs(relation: AccountRelation, account: AccountFacts): ProfileTab[] {
  const readable = canReadAccount(relation, account);
  const tabs: ProfileTab[] = ["blogs"];
  if (relation.isSelf || (account.showSavedBlogs && readable)) tabs.push("saved-blogs");
  if (relation.isSelf || (account.showLikedBlogs && readable)) tabs.push("liked-blogs");
  if (relation.isSelf) tabs.push("draft-blogs");
  if (relation.isSelf || relation.isFollower) tabs.push("private-blogs");
  return tabs;
}

export type ProfileList = ProfileTab | "followers" | "following";

/** Returns the lists that can have entries for the viewer. */
export function visibleLists(relation: AccountRelation, account: AccountFacts): ProfileList[] {
  const tabs = visibleTabs(relation, account);
  return [
    ...(canReadAccount(relation, account) ? tabs : []),
    ...(canSeeFollowers(relation, account) ? (["followers", "following"] as const) : []),
  ];
}
