import type { FollowRequest, NotificationRef } from "../../shared/social.ts";
import type { Act, Hands } from "../live/own.ts";
import { tellFailure } from "../session/failure.ts";

type Said = { message: string; cursor?: string };

/** The answer to somebody who asks to follow the viewer. */
export const answerRequest = ({
  client,
  navigate,
}: Hands): Act<{ request: FollowRequest; action: "accept" | "reject" }, Said> => ({
  name: "social.handleRequest",
  key: ({ request }) => `request:${request.id}`,
  foresee: ({ request }) => [
    { topic: "me", event: { kind: "follow.withdrawn", requesterId: request.id, requestsCount: 0 } },
  ],
  send: ({ request, action }) => client.social.handleRequest.mutate({ requesterId: request.id, action }),
  kept: false,
  refused: (error, _input, again) => tellFailure(error, navigate, again),
});

/** Puts a request back that was just rejected. */
export const restoreRequest = ({ client, navigate }: Hands): Act<FollowRequest> => ({
  name: "social.restoreRequest",
  key: ({ id }) => `request:${id}`,
  foresee: (request) => [{ topic: "me", event: { kind: "follow.requested", request, requestsCount: 0 } }],
  send: ({ id }) => client.social.restoreRequest.mutate({ userId: id }),
  kept: false,
  refused: (error, _input, again) => tellFailure(error, navigate, again),
});

/** Clears the number on the bell on all pages of the viewer, up to the newest notification of the list that was opened. */
export const seeNotifications = ({ client }: Hands): Act<{ newest: string }> => ({
  name: "social.seeNotifications",
  key: () => "seen",
  foresee: () => [{ topic: "me", event: { kind: "own.seen" } }],
  send: ({ newest }) => client.social.seeNotifications.mutate({ newest }),
  kept: false,
  refused: () => {},
});

/** Marks all notifications as read, or one entry. A failure for one entry shows no error: the mark comes back. */
export const readNotifications = ({ client, navigate }: Hands): Act<{ only: NotificationRef | null }> => ({
  name: "social.readNotifications",
  key: ({ only }) => `read:${only?.kind ?? ""}:${only?.target ?? ""}`,
  foresee: ({ only }) => [{ topic: "me", event: { kind: "own.read", only } }],
  send: ({ only }) => client.social.readNotifications.mutate(only ? { only } : {}),
  kept: false,
  refused: (error, { only }, again) => {
    if (!only) tellFailure(error, navigate, again);
  },
});
