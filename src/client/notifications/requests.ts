import type { FollowRequest } from "../../shared/social.ts";
import { trpc } from "../api/trpc.ts";

/** One that was put back stands where it stood before. */
export const withRequest = (requests: FollowRequest[], request: FollowRequest): FollowRequest[] =>
  [request, ...withoutRequest(requests, request.id)].toSorted((one, other) =>
    one.askedAt < other.askedAt ? 1 : one.askedAt > other.askedAt ? -1 : 0,
  );

export const withoutRequest = (requests: FollowRequest[], id: string): FollowRequest[] =>
  requests.some((one) => one.id === id) ? requests.filter((one) => one.id !== id) : requests;

/** How many requests wait, as far as this tab knows: the badge of the menu's entry. Asks for nothing itself. */
export function useRequestsCount(): number {
  return (
    trpc.social.requests.useQuery(undefined, { enabled: false, select: ({ requests }) => requests.length })
      .data ?? 0
  );
}
