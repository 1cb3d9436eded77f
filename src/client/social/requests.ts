import type { UserEvent } from "../../shared/events.ts";
import type { FollowRequest } from "../../shared/social.ts";
import { trpc } from "../api/trpc.ts";

/** The waiting requests, newest first, after an event of the viewer's own stream. */
export function applyRequestEvent(requests: FollowRequest[], event: UserEvent): FollowRequest[] {
  if (event.kind === "follow.requested")
    return [event.request, ...withoutRequest(requests, event.request.id)];
  return event.kind === "follow.withdrawn" ? withoutRequest(requests, event.requesterId) : requests;
}

export const withoutRequest = (requests: FollowRequest[], id: string): FollowRequest[] =>
  requests.some((one) => one.id === id) ? requests.filter((one) => one.id !== id) : requests;

/** How many requests wait, as far as this tab knows: the badge of the menu's entry. Asks for nothing itself. */
export function useRequestsCount(): number {
  return (
    trpc.social.requests.useQuery(undefined, { enabled: false, select: (requests) => requests.length })
      .data ?? 0
  );
}
