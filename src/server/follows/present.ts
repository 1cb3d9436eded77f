import type { FollowRequest } from "../../shared/social.ts";
import { presentPerson } from "../profiles/present.ts";
import type { RequestRow } from "./queries.ts";

export const presentRequest = (row: RequestRow): FollowRequest => ({
  ...presentPerson(row),
  bio: row.bio,
  askedAt: new Date(row.askedAt).toISOString(),
});
