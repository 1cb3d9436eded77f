import type { NotificationRef } from "../../shared/notification-inputs.ts";
import type { FollowRequest } from "../../shared/social.ts";
import type { Mutation, MutationContext } from "../live/mutations/optimistic-mutations.ts";
import { showFailure } from "../session/failure.ts";

type Answer = { message: string; cursor?: string };

/** Accepts or rejects a follow request. */
export const answerRequest = ({
  client,
}: MutationContext): Mutation<{ request: FollowRequest; action: "accept" | "reject" }, Answer> => ({
  name: "social.handleRequest",
  key: ({ request }) => `request:${request.id}`,
  optimisticEvents: ({ request }) => [
    { topic: "me", event: { kind: "follow.withdrawn", requesterId: request.id, requestsCount: 0 } },
  ],
  send: ({ request, action }) => client.social.handleRequest.mutate({ requesterId: request.id, action }),
});

/** Restores a follow request that was just rejected. */
export const restoreRequest = ({ client }: MutationContext): Mutation<FollowRequest> => ({
  name: "social.restoreRequest",
  key: ({ id }) => `request:${id}`,
  optimisticEvents: (request) => [
    { topic: "me", event: { kind: "follow.requested", request, requestsCount: 0 } },
  ],
  send: ({ id }) => client.social.restoreRequest.mutate({ userId: id }),
});

/** Clears the number on the bell on all pages of the viewer, up to the newest notification of the list that was opened. */
export const seeNotifications = ({ client }: MutationContext): Mutation<{ newest: string }> => ({
  name: "social.seeNotifications",
  key: () => "seen",
  optimisticEvents: () => [{ topic: "me", event: { kind: "notifications.seen" } }],
  send: ({ newest }) => client.social.seeNotifications.mutate({ newest }),
  onError: () => {},
});

/** Marks all notifications as read, or one entry. A failure for one entry shows no error: the mark comes back. */
export const readNotifications = ({
  client,
  navigate,
}: MutationContext): Mutation<{ only: NotificationRef | null }> => ({
  name: "social.readNotifications",
  key: ({ only }) => `read:${only?.kind ?? ""}:${only?.target ?? ""}`,
  optimisticEvents: ({ only }) => [{ topic: "me", event: { kind: "notifications.read", only } }],
  send: ({ only }) => client.social.readNotifications.mutate(only ? { only } : {}),
  onError: (error, { only }, retry) => {
    if (!only) showFailure(error, navigate, retry);
  },
});
