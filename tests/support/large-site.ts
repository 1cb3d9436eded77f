import path from "node:path";
import type Sqlite from "better-sqlite3";
import { migrateDatabase } from "../../src/server/database/sqlite/migrate.ts";
import { openSqlite } from "../../src/server/database/sqlite/open.ts";
import { hashSecret, newSecret } from "../../src/server/runtime/ids.ts";
import { projectRoot } from "../../src/server/runtime/project-root.ts";

/* Large sites, filled by SQL: a million blogs in some minutes. Counters match the rows, so that `reprise doctor` corrects
   nothing. The same size creates the same site. */

export const sizes = { "1k": 1_000, "20k": 20_000, "100k": 100_000, "1m": 1_000_000 } as const;
export type Size = keyof typeof sizes;

/** A word in every other text and one title in ten. */
export const commonWord = "evening";

/** A person with their session's cookie. */
interface Member {
  id: string;
  username: string;
  cookie: string;
}
export interface LargeSite {
  file: string;
  blogs: number;
  /** Wrote the most, and has notifications about all of it. */
  author: Member & { blogs: number; notifications: number };
  /** Follows two hundred people and has interests. */
  reader: Member;
  /** The id of a blog with many likes. */
  read: string;
}

const day = 24 * 60 * 60 * 1000;
/** The number of newest blogs and what each of them has. */
const popular = { blogs: 100, likes: 1_000, saves: 200, comments: 50 };

/** Creates the database in a folder without one. */
export async function createLargeDatabase(folder: string, size: Size): Promise<LargeSite> {
  const file = path.join(folder, "reprise.db");
  await migrateDatabase(file, path.join(projectRoot, "migrations"), path.join(folder, "backups"));
  const sqlite = openSqlite(file, false);
  try {
    sqlite.pragma("synchronous = OFF");
    sqlite.pragma("cache_size = -400000");
    return insertLargeSite(sqlite, file, sizes[size]);
  } finally {
    sqlite.close();
  }
}

function insertLargeSite(sqlite: Sqlite.Database, file: string, blogs: number): LargeSite {
  const people = Math.max(1_200, Math.min(50_000, blogs / 10));
  const ownBlogs = Math.min(20_000, blogs / 5);
  const notifications = ownBlogs * 8;
  const now = Date.now();
  const step = Math.floor((3 * 365 * day) / blogs);
  const run = (statement: string) => void sqlite.exec(statement);
  const numbers = (to: number, from = 1) =>
    `(with recursive upTo(n) as (select ${from} union all select n + 1 from upTo where n < ${to}) select n from upTo)`;
  /** A pseudorandom number below `below`, derived from `n`. */
  const randomBelow = (salt: number, below: number | string, n = "n") =>
    `((((${n}) * 2654435761 + ${salt * 40_503}) % 4294967291 / 7) % ${below})`;
  const person = (number: string) => `printf('01800000-0000-7000-8000-%012x', ${number})`;
  const blogId = (n: string) => `printf('01900000-0000-7000-8000-%012x', ${n})`;
  const isPopular = `n > ${blogs - popular.blogs}`;

  run("begin");
  run(`insert into users (id, username, email, name, bio, interests, private, show_liked_blogs, show_saved_blogs, verified_at, created_at)
    select ${person("n")}, 'person-' || n, 'person-' || n || '@example.org', 'Person ' || n, 'One of many.',
      '["history","gardens","web development","cooking","node js"]', n % 33 = 0, n % 10 > 0, n % 3 = 0, ${now - 1_200 * day}, ${now - 1_200 * day} from ${numbers(people)}`);
  run(
    `create temp table syllables as select key as place, value as text from json_each('${JSON.stringify(
      "na to re vi ka lo men ti sa rou ber an el ost ing der wal ha ou mi".split(" "),
    )}')`,
  );
  const syllable = (salt: number) => `(select text from syllables where place = ${randomBelow(salt, 20)})`;
  run(
    `create temp table words as select n as place, ${syllable(1)} || ${syllable(2)} || ${syllable(3)} as text from ${numbers(2_000)}`,
  );
  run("create unique index temp.words_place on words (place)");
  // As in any language a few words are frequent and most are rare.
  const word = (salt: number) =>
    `(select text from words where place = 1 + ${randomBelow(salt, 2_000, `n * ${salt}`)} * ${randomBelow(salt + 50, 2_000, `n * ${salt}`)} / 2000)`;
  const sentence = (length: number) =>
    Array.from({ length }, (_, index) => word(index + 1)).join(" || ' ' || ");
  run(`create temp table sentences (place integer primary key, text text)`);
  run(`insert into sentences select n, ${sentence(12)} || '. ' from ${numbers(4_000)}`);
  run(
    `create temp table topics as select key as place, value as text from json_each('${JSON.stringify(
      "history gardens webdevelopment cooking nodejs travel music rust poetry science birds health maps film chess".split(
        " ",
      ),
    )}')`,
  );
  const sentenceOf = (salt: number) =>
    `(select text from sentences where place = 1 + ${randomBelow(salt, 4_000)})`;
  const topic = (salt: number) => `(select text from topics where place = ${randomBelow(salt, 15)})`;
  run("create temp table counted (n integer primary key)");
  run(`insert into counted select n from ${numbers(popular.likes, 0)}`);
  // By the author at regular intervals, otherwise by people of whom some write far more than others.
  const authorOf = `case when n % ${Math.floor(blogs / ownBlogs)} = 0 then 1 else 2 + ${randomBelow(11, 1_000)} * ${randomBelow(12, people - 1)} / 1000 end`;
  run("commit");
  const bulk = 50_000;
  for (let from = 1; from <= blogs; from += bulk) {
    run("begin");
    run(`insert into blogs (id, slug, author_id, title, description, tags, document, html, text, excerpt, words, reading_minutes,
        draft, private, likes_count, saves_count, comments_count, created_at, published_at)
      select ${blogId("n")}, 'blog-' || n, ${person(authorOf)},
        substr(text, 1, instr(substr(text, 20), ' ') + 18) || case when n % 10 = 0 then ' ${commonWord} ' else ' ' end || n,
        'Number ' || n || ', about ' || tag, json_array(tag, other), json_object('type', 'doc', 'content', json_array(json_object('type', 'paragraph', 'content',
          json_array(json_object('type', 'text', 'text', text))))), '<p>' || text || '</p>', text, substr(text, 1, 200), 60, 1,
        n % 50 = 7, n % 30 = 11,
        case when ${isPopular} then ${popular.likes} else ${randomBelow(21, 5)} end,
        case when ${isPopular} then ${popular.saves} else n % 7 = 0 end,
        case when ${isPopular} then ${popular.comments} else n % 3 = 0 end,
        ${now} - (${blogs} - n + 1) * ${step}, ${now} - (${blogs} - n + 1) * ${step}
      from (select n, ${sentenceOf(31)} || case when n % 2 then '${commonWord} ' else '' end || ${sentenceOf(32)} || ${sentenceOf(33)} || ${sentenceOf(34)} as text,
        ${topic(41)} as tag, ${topic(42)} as other from ${numbers(Math.min(blogs, from + bulk - 1), from)})`);
    const pairs = `blogs b cross join counted k on k.n < b.%s where b.seq between ${from} and ${from + bulk - 1}`;
    const actor = (salt: number) =>
      person(`1 + (${randomBelow(salt, people, "b.seq")} + k.n * 7919) % ${people}`);
    for (const [table, column, salt] of [
      ["blog_likes", "likes_count", 51],
      ["blog_saves", "saves_count", 52],
    ] as const)
      run(
        `insert into ${table} (blog_id, user_id, created_at) select b.id, ${actor(salt)}, b.published_at + k.n + 1 from ${pairs.replace("%s", column)}`,
      );
    run(`insert into comments (id, blog_id, root_id, author_id, text, created_at) select c.id, c.blog_id, c.id, c.author_id, c.text, c.at from (
      select printf('01a00000-0000-7000-8%03x-%012x', k.n, b.seq) as id, b.id as blog_id, ${actor(53)} as author_id, 'Number ' || k.n as text, b.published_at + k.n + 1 as at
      from ${pairs.replace("%s", "comments_count")}) c`);
    run("commit");
  }
  run("begin");
  run(`insert or ignore into follows (follower_id, followed_id, created_at) select ${person("n")}, ${person(`1 + ${randomBelow(61, people, "n * 5 + k")}`)}, ${now - 500 * day} + n
    from ${numbers(people)}, (select value as k from json_each('[0,1,2,3,4]')) where 1 + ${randomBelow(61, people, "n * 5 + k")} <> n`);
  run(
    `insert or ignore into follows (follower_id, followed_id, created_at) select ${person("2")}, ${person("n + 2")}, ${now - 400 * day} + n from ${numbers(200)}`,
  );
  run(
    `update users set followers_count = (select count(*) from follows where followed_id = users.id), following_count = (select count(*) from follows where follower_id = users.id)`,
  );
  // Eight unread likes of each blog of the author's.
  run(`insert into notifications (id, user_id, kind, actor_id, blog_id, target, created_at)
    select printf('01b00000-0000-7000-8%03x-%012x', k, b.seq), b.author_id, 'like', ${person(`2 + (b.seq + k) % ${people - 1}`)}, b.id, b.id, b.published_at + k
    from blogs b, (select value as k from json_each('[1,2,3,4,5,6,7,8]')) where b.author_id = ${person("1")}`);
  run(
    `insert into live_events (topic, event, created_at) select 'blog:' || ${blogId("n")}, '{"kind":"blog.liked"}', ${now} - n from ${numbers(Math.floor(blogs / 5))}`,
  );
  const member = (number: number): Member => {
    const token = newSecret();
    const id = sqlite
      .prepare(`select ${person(String(number))}`)
      .pluck()
      .get() as string;
    sqlite
      .prepare(
        "insert into sessions (hash, handle, user_id, created_at, seen_at, expires_at) values (?, ?, ?, ?, ?, ?)",
      )
      .run(hashSecret(token), newSecret().slice(0, 16), id, now, now, now + 29 * day);
    return { id, username: `person-${number}`, cookie: `session=${token}` };
  };
  const [author, reader] = [member(1), member(2)];
  run("commit");
  sqlite.pragma("wal_checkpoint(truncate)");
  const { id: read } = sqlite
    .prepare("select id from blogs where draft = 0 and is_public = 1 order by likes_count desc limit 1")
    .get() as { id: string };
  return { file, blogs, author: { ...author, blogs: ownBlogs, notifications }, reader, read };
}
