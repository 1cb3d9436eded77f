import type { ProfileEvent } from "../../shared/live.ts";
import type { Context } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { profileTopic, type Fact } from "../live/facts.ts";
import { asSource, type Source } from "../live/tail.ts";
import { standingTo } from "./access.ts";
import { canSeeFollowers, listsInSight, visibleTabs } from "./policy.ts";
import { countPublic, presentPerson } from "./present.ts";
import { userById } from "./queries.ts";

const stranger = { isSelf: false, isFollower: false };

/** An open profile, and its lists; of a list that not everybody sees its name says who hears. */
export const profileSource = (connection: Connection, userId: string): Source =>
  asSource("profile", profileTopic(userId), `profile:${userId}`, async (facts, spread) => {
    const user = await userById(connection, userId);
    if (!user) return [];
    const counts = canSeeFollowers(stranger, user)
      ? {
          followers: user.followersCount,
          following: user.followingCount,
          blogs: countPublic(user),
        }
      : null;
    const open = listsInSight(stranger, user);
    const asEvent = (fact: Fact<"profile">): ProfileEvent =>
      fact.kind === "profile.listed"
        ? { ...fact, userId, spread }
        : {
            kind: fact.kind,
            person: presentPerson(user),
            bio: user.bio,
            private: user.private,
            counts,
            tabs: visibleTabs(stranger, user),
            spread,
          };
    // Of many changes at once each is told once.
    const last = new Map(facts.map((one) => [JSON.stringify(one.fact), one]));
    return [...last.values()].map(({ seq, fact }) => ({
      seq,
      event: asEvent(fact),
      among: "list" in fact && !open.includes(fact.list) ? fact.list : undefined,
    }));
  });

/** Whether the viewer sees this list of the profile, if there is such a person by now. */
export async function seesList(
  { database: { read }, viewer }: Pick<Context, "database" | "viewer">,
  userId: string,
  list: string,
): Promise<boolean> {
  const user = await userById(read, userId);
  const lists: string[] = user ? listsInSight(await standingTo(read, viewer, userId), user) : [];
  return lists.includes(list);
}
