import type { FollowAnswer } from "../../shared/social.ts";
import type { Person } from "../../shared/users.ts";
import type { Mutation, MutationContext } from "../live/mutations/optimistic-mutations.ts";
import type { ToggleMutation } from "../session/use-toggle.ts";

/** Follows or unfollows a person; `asksFirst` where they approve followers. */
export const follow: ToggleMutation<{ userId: string; asksFirst: boolean }, FollowAnswer> = ({ client }) => ({
  name: "social.follow",
  key: ({ userId }) => `follow:${userId}`,
  optimisticEvents: ({ userId, on, asksFirst }) => {
    const status = on ? (asksFirst ? "requested" : "following") : "follow";
    return [{ topic: "me", event: { kind: "viewer.follow", userId, status } }];
  },
  send: ({ userId, on }) => client.social.follow.mutate({ userId, follow: on }),
});

/** Removes a follower. */
export const removeFollower = ({
  client,
}: MutationContext): Mutation<Pick<Person, "id">, { message: string; cursor?: string }> => ({
  name: "social.removeFollower",
  key: ({ id }) => `follower:${id}`,
  optimisticEvents: ({ id }) => [{ topic: "me", event: { kind: "follower.removed", userId: id } }],
  send: ({ id }) => client.social.removeFollower.mutate({ userId: id }),
});
