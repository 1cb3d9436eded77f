import type { ProfileEvent } from "../../shared/live.ts";
import type { Context } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { profileTopic, type StoredEvent } from "../live/stored-events.ts";
import { createSource, type Source } from "../live/source.ts";
import { relationTo } from "./access.ts";
import { canSeeFollowers, visibleLists, visibleTabs } from "./policy.ts";
import { countPublic, presentPerson } from "./present.ts";
import { userById } from "./queries.ts";

const stranger = { isSelf: false, isFollower: false };

/** Presents an open profile and its lists. The audience of a restricted list is the list's name. */
export const profileSource = (connection: Connection, userId: string): Source =>
  createSource("profile", profileTopic(userId), `profile:${userId}`, async (events, jitterMs) => {
    const user = await userById(connection, userId);
    if (!user) return [];
    const counts = canSeeFollowers(stranger, user)
      ? {
          followers: user.followersCount,
          following: user.followingCount,
          blogs: countPublic(user),
        }
      : null;
    const open = visibleLists(stranger, user);
    const asEvent = (event: StoredEvent<"profile">): ProfileEvent =>
      event.kind === "profile.listed"
        ? { ...event, userId, jitterMs }
        : {
            kind: event.kind,
            person: presentPerson(user),
            bio: user.bio,
            private: user.private,
            counts,
            tabs: visibleTabs(stranger, user),
            jitterMs,
          };
    // Equal events are sent once.
    const last = new Map(events.map((entry) => [JSON.stringify(entry.event), entry]));
    return [...last.values()].map(({ seq, event }) => ({
      seq,
      event: asEvent(event),
      audience: "list" in event && !open.includes(event.list) ? event.list : undefined,
    }));
  });

export async function seesList(
  { database: { read }, viewer }: Pick<Context, "database" | "viewer">,
  userId: string,
  list: string,
): Promise<boolean> {
  const user = await userById(read, userId);
  const lists: string[] = user ? visibleLists(await relationTo(read, viewer, userId), user) : [];
  return lists.includes(list);
}
