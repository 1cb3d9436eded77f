import { and, asc, eq, gt, lte, sql } from "drizzle-orm";
import { preparedQuery, type Connection } from "../database/connection.ts";
import { blogs } from "../database/schema/blogs.ts";
import { users } from "../database/schema/profiles.ts";
import { isVisibleTo } from "../blocks/queries.ts";

/* Public blogs by number, for the site map. A range of numbers bounds what one statement reads. */

// Written out: a bound parameter would not match the partial index `blogs_mapped`, which spares reading texts.
const isPublic = sql`blogs.is_public = 1`;

const inRange = preparedQuery((db) =>
  db
    .select({
      slug: blogs.slug,
      tags: blogs.tags,
      canonicalUrl: blogs.canonicalUrl,
      publishedAt: blogs.publishedAt,
      editedAt: blogs.editedAt,
      // Along an index; whether it is a live blog is stored after the texts.
      lastEntryAt: sql<
        number | null
      >`(select max(at) from entries where blog_id = ${blogs.id} and withdrawn_at is null)`,
      username: users.username,
    })
    .from(blogs)
    .innerJoin(users, eq(users.id, blogs.authorId))
    .where(
      and(
        isPublic,
        gt(blogs.seq, sql.placeholder("after")),
        lte(blogs.seq, sql.placeholder("to")),
        lte(blogs.publishedAt, sql.placeholder("now")),
        // The mark follows a change of the account in steps.
        eq(users.private, false),
        isVisibleTo(blogs.authorId),
      ),
    )
    .orderBy(asc(blogs.seq)),
);
const firstAfter = preparedQuery((db) =>
  db
    .select({ seq: blogs.seq })
    .from(blogs)
    .where(and(isPublic, gt(blogs.seq, sql.placeholder("after"))))
    .orderBy(asc(blogs.seq))
    .limit(1),
);

/** Returns the blogs that guests can read whose numbers are above `after` and at most `to`. */
export const publicBlogsInRange = async (
  connection: Connection,
  range: { after: number; to: number; now: number },
) => inRange(connection).all({ ...range, viewer: null });

/** Returns the number of the next blog marked as public; null after the last one. */
export const nextPublicBlog = async (connection: Connection, after: number): Promise<number | null> =>
  (await firstAfter(connection).get({ after }))?.seq ?? null;
