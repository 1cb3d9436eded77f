import { eq, sql } from "drizzle-orm";
import type { z } from "zod";
import { limits } from "../../shared/limits.ts";
import type { FoundPerson, PeopleSearch, Search } from "../../shared/search.ts";
import type { Context } from "../context.ts";
import { hot } from "../database/connection.ts";
import { bestMatches, matchesOf } from "../database/full-text.ts";
import { users } from "../database/schema/users.ts";
import { highlighter, type Highlighter } from "../search/highlight.ts";
import { searchWords } from "../search/words.ts";
import { inTurn } from "../turns.ts";
import { presentListed } from "./present.ts";
import { listedColumns } from "./queries.ts";

const mostFound = 50;

/** A page of who was found; exported for the test on its plan. */
export const foundPeople = hot((db) =>
  db
    .select({
      ...listedColumns,
      total: sql<number>`count(*) over ()`,
    })
    .from(users)
    .innerJoin(sql`${bestMatches("people", sql``)} as found`, sql`found.number = ${users.number}`)
    .where(sql`${users.verifiedAt} is not null`)
    .orderBy(
      sql`${eq(users.username, sql.placeholder("exact"))} desc, found.tier, found.score`,
      users.username,
    )
    .limit(sql.placeholder("limit"))
    .offset(sql.placeholder("offset"))
    .prepare(),
);

type FoundRow = Awaited<ReturnType<ReturnType<typeof foundPeople>["all"]>>[number];

/**
 * People by username, name and bio, in this order; a whole username comes first. Accounts that were never verified are not
 * found. Nobody without a query. `size` is at most 50.
 */
export async function searchPeople(
  ctx: Context,
  { query, page }: z.output<typeof Search>,
  size: number = limits.page.search,
): Promise<PeopleSearch> {
  const { read } = ctx.database;
  const most = Math.max(1, Math.min(size, mostFound));
  const words = searchWords(query);
  if (words.length === 0 || page > limits.page.highest)
    return { people: [], page, hasMore: false, ...(query.trim() === "" ? {} : { total: 0 }) };
  const viewerId = ctx.viewer?.id ?? null;
  const exact = query.trim().toLowerCase().replace(/^@/, "");
  await ctx.limits.take("read", ctx.address, limits.search.cost);
  const matches = await inTurn(() => matchesOf(read, "people", words));
  const found = await inTurn(() =>
    foundPeople(read).all({
      viewer: viewerId,
      exact,
      limit: most + 1,
      offset: (page - 1) * most,
      ...matches,
    }),
  );
  const marks = highlighter(words);
  return {
    people: await inTurn(() => found.slice(0, most).map((row) => presentFound(row, viewerId, marks))),
    page,
    hasMore: found.length > most,
    total: found[0]?.total ?? (page === 1 ? 0 : undefined),
  };
}

const presentFound = (row: FoundRow, viewerId: string | null, marks: Highlighter): FoundPerson => ({
  ...presentListed(row, viewerId),
  highlights: { name: marks.whole(row.name), username: marks.whole(row.username), bio: marks.whole(row.bio) },
});
