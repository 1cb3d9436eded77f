import { setImmediate } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { type Database, execute, rowsOf } from "./connection.ts";
import { isPostgres } from "./schema/store.ts";

/** A derived value: the condition of `wrong` rows, and statements that correct those in `condition`. */
interface DerivedValue {
  name: string;
  table: string;
  wrong: string;
  corrections: (condition: string) => string[];
}

const counts = [
  { table: "blogs", column: "likes_count", is: "(select count(*) from blog_likes where blog_id = blogs.id)" },
  { table: "blogs", column: "saves_count", is: "(select count(*) from blog_saves where blog_id = blogs.id)" },
  {
    table: "blogs",
    column: "comments_count",
    is: "(select count(*) from comments where blog_id = blogs.id and deleted_at is null)",
  },
  {
    table: "blogs",
    column: "is_public",
    is: `case when draft = 0 and private = 0 and not exists (select 1 from users where id = blogs.author_id
      and (private = 1 or suspended_at is not null or limited_at is not null)) then 1 else 0 end`,
  },
  {
    table: "comments",
    column: "likes_count",
    is: "(select count(*) from comment_likes where comment_id = comments.id)",
  },
  {
    table: "entries",
    column: "likes_count",
    is: "(select count(*) from entry_likes where entry_id = entries.id)",
  },
  {
    table: "users",
    column: "followers_count",
    is: "(select count(*) from follows where followed_id = users.id)",
  },
  {
    table: "users",
    column: "following_count",
    is: "(select count(*) from follows where follower_id = users.id)",
  },
  ...[
    ["public_blogs", "draft = 0 and private = 0"],
    ["private_blogs", "draft = 0 and private = 1"],
    ["draft_blogs", "draft = 1"],
  ].map(([column, condition]) => ({
    table: "users",
    column,
    is: `(select count(*) from blogs where author_id = users.id and ${condition})`,
  })),
  {
    table: "users",
    column: "shared_blogs",
    is: "(select count(*) from blog_authors where user_id = users.id and is_public = 1)",
  },
  ...["likes", "comments"].map((kind) => ({
    table: "users",
    column: `${kind}_received`,
    is: `(select coalesce(sum(${kind}_count), 0) from blogs where author_id = users.id)`,
  })),
].map(({ table, column, is }): DerivedValue => {
  const wrong = `${column} <> ${is}`;
  return {
    name: `${table}.${column}`,
    table,
    wrong,
    corrections: (condition) => [`update ${table} set ${column} = ${is} where ${condition}`],
  };
});

const tagsOfBlog = isPostgres
  ? "json_array_elements_text(blogs.tags::json) as t(value)"
  : "json_each(blogs.tags) t";
/** A blog's rows of `blog_tags`, as triggers write them. */
const tagged = `select distinct blogs.seq, t.value, blogs.author_id, blogs.is_public, blogs.likes_count, blogs.published_at
  from ${tagsOfBlog} where blogs.draft = 0`;
const stored = `select blog_seq, tag, author_id, is_public, likes_count, published_at from blog_tags where blog_seq = blogs.seq`;
const tags: DerivedValue = {
  name: "blog_tags.tag",
  table: "blogs",
  wrong: `(exists (${tagged} except ${stored}) or exists (${stored} except ${tagged}))`,
  corrections: (condition) => [
    `delete from blog_tags where blog_seq in (select seq from blogs where ${condition})`,
    `insert into blog_tags (blog_seq, tag, author_id, is_public, likes_count, published_at)
      ${tagged.replace("from", "from blogs,")} and ${condition}`,
  ],
};

/** The columns of `blogs` that triggers copy to `blog_authors`. */
const marks = "draft, private, is_public, published_at";
const shared: DerivedValue = {
  name: "blog_authors.marks",
  table: "blogs",
  wrong: `exists (select 1 from blog_authors w where w.blog_id = blogs.id and w.accepted_at is not null
    and (w.draft, w.private, w.is_public, w.published_at) is distinct from (blogs.draft, blogs.private, blogs.is_public, blogs.published_at))`,
  corrections: (condition) => [
    `update blog_authors set (${marks}) = (select ${marks} from blogs where id = blog_id)
      where accepted_at is not null and blog_id in (select id from blogs where ${condition})`,
  ],
};

/** Each depends only on those before it. */
const isOfBlogs = ({ table }: DerivedValue) => table === "blogs";
const derivedValues = [
  ...counts.filter(isOfBlogs),
  shared,
  ...counts.filter((value) => !isOfBlogs(value)),
  tags,
];

export interface Findings {
  integrity: string[];
  brokenReferences: number;
  /** Numbers of corrected rows by `table.column`. */
  recounted: Record<string, number>;
}

/** The most rows per read, and milliseconds after which reads shrink. */
const maxRows = 500;
const sliceMs = 10;

/**
 * Checks the database and corrects derived values. Short reads find wrong rows; only those are written, so that no one waits.
 */
export async function checkAndRepair(database: Database): Promise<Findings> {
  const { read } = database;
  // PostgreSQL checks what it reads, and lets no reference break.
  const pragma = async <Row>(name: string) => (isPostgres ? [] : rowsOf<Row>(read, `pragma ${name}`));
  const found = await pragma<{ integrity_check: string }>("integrity_check");
  const integrity = found.length > 0 ? found.map((row) => row.integrity_check) : ["ok"];
  const brokenReferences = (await pragma("foreign_key_check")).length;
  const recounted: Record<string, number> = {};
  for (const value of derivedValues) recounted[value.name] = await recount(database, value);
  return { integrity, brokenReferences, recounted };
}

async function recount(database: Database, { table, wrong, corrections }: DerivedValue): Promise<number> {
  const { read } = database;
  const [{ last } = { last: 0 }] = await rowsOf<{ last: number | null }>(
    read,
    sql.raw(`select max(seq) as last from ${table}`),
  );
  let corrected = 0;
  let slice = 50;
  for (let from = 0; from < (last ?? 0);) {
    const started = performance.now();
    const wrongRows = await rowsOf<{ seq: number }>(
      read,
      sql.raw(`select seq from ${table} where seq > ${from} and seq <= ${from + slice} and ${wrong}`),
    );
    from += slice;
    const took = performance.now() - started;
    slice = took > sliceMs ? Math.max(1, slice >> 1) : Math.min(maxRows, slice * 2);
    for (let batch = wrongRows.splice(0, 20); batch.length > 0; batch = wrongRows.splice(0, 20)) {
      const numbers = batch.map(({ seq }) => seq).join();
      corrected += await database.write(async (tx) => {
        // Another write may have corrected some.
        const stillWrong = await rowsOf<{ seq: number }>(
          tx,
          sql.raw(`select seq from ${table} where seq in (${numbers}) and ${wrong}`),
        );
        const condition = `${table}.seq in (${stillWrong.map(({ seq }) => seq).join()})`;
        for (const statement of corrections(condition)) await execute(tx, sql.raw(statement));
        return stillWrong.length;
      });
    }
    await setImmediate();
  }
  return corrected;
}
