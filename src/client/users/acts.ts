import type { FollowAnswer } from "../../shared/social.ts";
import type { Person } from "../../shared/users.ts";
import type { Act, Hands } from "../live/own.ts";
import { tellFailure } from "../session/failure.ts";
import type { TurnAct } from "../session/use-switch.ts";

/** Following somebody, who is asked first where `asksFirst` says so. */
export const follow: TurnAct<{ userId: string; asksFirst: boolean }, FollowAnswer> = ({
  client,
  navigate,
}) => ({
  name: "social.follow",
  key: ({ userId }) => `follow:${userId}`,
  foresee: ({ userId, on, asksFirst }) => {
    const status = on ? (asksFirst ? "requested" : "following") : "follow";
    return [{ topic: "me", event: { kind: "viewer.follow", userId, status } }];
  },
  send: ({ userId, on }) => client.social.follow.mutate({ userId, follow: on }),
  kept: false,
  refused: (error, _input, again) => tellFailure(error, navigate, again),
});

/** Drops a follower. */
export const removeFollower = ({
  client,
  navigate,
}: Hands): Act<Pick<Person, "id">, { message: string; cursor?: string }> => ({
  name: "social.removeFollower",
  key: ({ id }) => `follower:${id}`,
  foresee: ({ id }) => [{ topic: "me", event: { kind: "own.remove", userId: id } }],
  send: ({ id }) => client.social.removeFollower.mutate({ userId: id }),
  kept: false,
  refused: (error, _input, again) => tellFailure(error, navigate, again),
});
