import type { FollowRequest } from "../../shared/social.ts";

/** Inserts a request in the order of its date. */
export const withRequest = (requests: FollowRequest[], request: FollowRequest): FollowRequest[] =>
  [request, ...withoutRequest(requests, request.id)].toSorted((one, other) =>
    one.askedAt < other.askedAt ? 1 : one.askedAt > other.askedAt ? -1 : 0,
  );

export const withoutRequest = (requests: FollowRequest[], id: string): FollowRequest[] =>
  requests.some((pending) => pending.id === id) ? requests.filter((pending) => pending.id !== id) : requests;
