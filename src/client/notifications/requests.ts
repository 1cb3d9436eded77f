import type { FollowRequest } from "../../shared/social.ts";
import { trpc } from "../api/trpc.ts";

/** Inserts a request in the order of its date. */
export const withRequest = (requests: FollowRequest[], request: FollowRequest): FollowRequest[] =>
  [request, ...withoutRequest(requests, request.id)].toSorted((one, other) =>
    one.askedAt < other.askedAt ? 1 : one.askedAt > other.askedAt ? -1 : 0,
  );

export const withoutRequest = (requests: FollowRequest[], id: string): FollowRequest[] =>
  requests.some((pending) => pending.id === id) ? requests.filter((pending) => pending.id !== id) : requests;

/** The badges of the navigation by path, from the cache: follow requests, and what waits for moderators. Does not fetch. */
export function useBadges(): Record<string, number | undefined> {
  const requests = trpc.social.requests.useQuery(undefined, { enabled: false }).data?.requests;
  const waiting = trpc.moderation.waiting.useQuery(undefined, { enabled: false }).data;
  return {
    "/requests": requests?.length,
    "/admin": waiting && waiting.reports + waiting.appeals + waiting.signups,
  };
}
