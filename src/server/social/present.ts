import type { FollowRequest, ListedPerson } from "../../shared/social.ts";
import { presentPerson } from "../users/present.ts";
import type { ListedRow, RequestRow } from "./queries.ts";

export const presentRequest = (row: RequestRow): FollowRequest => ({
  ...presentPerson(row),
  bio: row.bio,
  askedAt: new Date(row.askedAt).toISOString(),
});

export const presentListed = (row: ListedRow, viewerId: string | null): ListedPerson => ({
  ...presentPerson(row),
  bio: row.bio,
  follow: row.id === viewerId ? "self" : row.followed ? "following" : row.asked ? "requested" : "follow",
});
