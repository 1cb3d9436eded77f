import type { z } from "zod";
import { followersHidden, peoplePrivate } from "../../shared/audience.ts";
import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import type { ListPeople, PeopleList } from "../../shared/social.ts";
import { isBeyondLastPage } from "../../shared/paging.ts";
import type { Context, MemberContext } from "../context.ts";
import { visibleUser } from "../profiles/access.ts";
import { canReadAccount, canSeeFollowers } from "../profiles/policy.ts";
import { presentListed } from "../profiles/present.ts";
import * as queries from "./queries.ts";

/** Returns a page of followers or followed people. Throws `forbidden` if the account hides them from the viewer. */
export async function listPeople(
  ctx: Context,
  { username, list, page }: z.output<typeof ListPeople>,
  size: number = limits.page.people,
): Promise<PeopleList> {
  const { read } = ctx.database;
  const { user, relation } = await visibleUser(read, ctx.viewer, { username });
  if (!canSeeFollowers(relation, user)) {
    throw new AppError("forbidden", canReadAccount(relation, user) ? followersHidden : peoplePrivate);
  }
  if (isBeyondLastPage(page, size)) return { userId: user.id, people: [], page, hasMore: false };
  const viewer = ctx.viewer?.id ?? null;
  const rows = await queries.listPeople(read, list, {
    of: user.id,
    viewer,
    limit: size + 1,
    offset: (page - 1) * size,
  });
  return {
    userId: user.id,
    people: rows.slice(0, size).map((row) => presentListed(row, viewer)),
    page,
    hasMore: rows.length > size && !isBeyondLastPage(page + 1, size),
  };
}

/** Returns the viewer's followers and followed people, which the page keeps (docs/specification.md, 3.2). */
export const ownFollowIds = (ctx: MemberContext): Promise<{ followers: string[]; following: string[] }> =>
  queries.followIdsOf(ctx.database.read, ctx.viewer.id, limits.people.most);
