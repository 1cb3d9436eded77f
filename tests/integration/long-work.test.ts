import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { buildApp } from "../../src/server/app.ts";
import { examine } from "../../src/server/database/examine.ts";
import {
  aBlog,
  aComment,
  paragraphs,
  password,
  refusal,
  startTown,
  until,
  type Town,
} from "../support/town.ts";

/** Rows of `statement` for each number of `1..count` (`n`), past the rules. */
const fill = (town: Town, count: number, statement: string) =>
  town.write(
    async (tx) =>
      void tx.drizzle.run(
        sql.raw(
          `with recursive counter(n) as (select 1 union all select n + 1 from counter where n < ${count}) ${statement}`,
        ),
      ),
  );
const count = (town: Town, from: string) =>
  town.rows<{ total: number }>(`select count(*) as total from ${from}`)[0]?.total;
const people = (town: Town, many: number) =>
  fill(
    town,
    many,
    "insert into users (id, username, email, name, created_at, verified_at) select 'p' || n, 'person' || n, 'p' || n || '@example.org', 'Somebody', 1, 1 from counter where true",
  );
/** A thread under a blog: of each three comments two answer the first, the last is `by`'s. */
const talk = async (town: Town, blogId: string, many: number, by: string, prefix: string) => {
  await fill(
    town,
    many,
    `insert into comments (id, blog_id, parent_id, root_id, author_id, text, created_at)
     select '${prefix}' || n, '${blogId}', case when n % 3 = 1 then null else '${prefix}' || (n - (n - 1) % 3) end,
       '${prefix}' || (n - (n - 1) % 3), case when n % 3 = 0 then '${by}' else 'p' || (n % 50 + 1) end, 'word', n from counter where true`,
  );
  await town.write(
    async (tx) =>
      void tx.drizzle.run(
        sql.raw(`update blogs set comments_count = comments_count + ${many} where id = '${blogId}'`),
      ),
  );
};
/** Jobs, without the recurring housekeeping. */
const rest = "jobs where name not like 'tidy.%'";
const settled = (town: Town) => until(() => count(town, rest) === 0, "the end of the rest");
const wrongCounts = async (town: Town) => {
  const { integrity, brokenReferences, recounted } = await examine(town.app.parts.database);
  return [integrity, brokenReferences, Object.values(recounted).filter((rows) => rows > 0)];
};
const right = [["ok"], 0, []];

test(
  "a blog with thousands of comments goes at once for its readers, and in small steps for the store",
  { tags: ["more"] },
  async () => {
    await using town = await startTown();
    const ana = await town.resident("Ana");
    await people(town, 50);
    const [gone, stays] = [
      await ana.api.blogs.create.mutate(aBlog()),
      await ana.api.blogs.create.mutate(aBlog()),
    ];
    await talk(town, gone.id, 9_000, ana.me.id, "c");
    await ana.api.comments.create.mutate(aComment(stays));
    await ana.api.blogs.remove.mutate({ id: gone.id });
    // The rest is under way, nobody finds it, and others write meanwhile.
    expect(count(town, rest)).toBe(1);
    const found = refusal(town.browser().api.blogs.bySlug.query({ slug: gone.slug }));
    const written = ana.api.comments.create.mutate(aComment(stays));
    const seen = new Set<number | undefined>();
    await until(() => seen.add(count(town, "comments")) && count(town, rest) === 0, "the end of the rest");
    expect(seen.size).toBeGreaterThan(5);
    expect(await found).toMatchObject({ code: "NOT_FOUND" });
    await written;
    expect([count(town, "blogs"), count(town, "comments")]).toEqual([1, 2]);
    expect(await wrongCounts(town)).toEqual(right);
  },
);

test("an account with much of everything is nobody's at once, and the rest of it goes even over a restart", async () => {
  await using town = await startTown();
  const [ana, eve] = [await town.resident("Ana"), await town.resident("Eve")];
  await people(town, 2_000);
  const others = await ana.api.blogs.create.mutate(aBlog());
  const own = await eve.api.blogs.create.mutate(aBlog({ document: paragraphs("Eve's own") }));
  await talk(town, others.id, 3_000, eve.me.id, "c");
  await talk(town, own.id, 1_500, ana.me.id, "d");
  // Somebody answered one of hers, and she answered that; another answer to hers is her own.
  const hers = await eve.api.comments.create.mutate(aComment(others, { text: "hers, answered" }));
  const answer = await ana.api.comments.create.mutate(aComment(others, { parentId: hers.id }));
  await eve.api.comments.create.mutate(aComment(others, { parentId: answer.id, text: "hers, last" }));
  const alone = await eve.api.comments.create.mutate(aComment(others, { text: "alone" }));
  await eve.api.comments.create.mutate(aComment(others, { parentId: alone.id, text: "with herself" }));
  for (const [table, columns] of [
    ["follows", "follower_id, followed_id, created_at"],
    ["follow_requests", "requester_id, owner_id, created_at"],
  ])
    await fill(
      town,
      1_500,
      `insert into ${table} (${columns}) select 'p' || n, '${eve.me.id}', n from counter where true`,
    );
  await fill(
    town,
    900,
    `insert into comment_likes (comment_id, user_id, created_at) select 'c' || n, '${eve.me.id}', n from counter where n % 3 = 1`,
  );
  await examine(town.app.parts.database);

  await eve.api.users.remove.mutate({ password });
  expect(count(town, rest)).toBe(1);
  expect(count(town, `users where email = '${eve.email}'`)).toBe(0);
  await town.app.close();
  // Another server goes on where the first one stopped.
  const app = await buildApp(town.config);
  const there = { app, rows: (statement: string) => app.parts.database.read.drizzle.all(statement) } as Town;
  await settled(there);
  expect(count(there, `users where id = '${eve.me.id}'`)).toBe(0);
  expect(count(there, `comments where author_id = '${eve.me.id}' or blog_id = '${own.id}'`)).toBe(0);
  // What others answered keeps its place, emptied; the rest of hers is gone.
  expect(there.rows("select id, text from comments where author_id is null")).toEqual([
    { id: hers.id, text: "" },
  ]);
  expect(count(there, `comments where id = '${alone.id}'`)).toBe(0);
  expect([count(there, "follows"), count(there, "follow_requests")]).toEqual([0, 0]);
  expect(await wrongCounts(there)).toEqual(right);
  await app.close();
});

test("who deletes an account with much can't sign in or be found from then on, and may sign up anew", async () => {
  await using town = await startTown();
  const [, eve] = [await town.resident("Ana"), await town.resident("Eve")];
  await people(town, 2_000);
  await fill(
    town,
    2_000,
    `insert into follows (follower_id, followed_id, created_at) select 'p' || n, '${eve.me.id}', n from counter where true`,
  );
  await examine(town.app.parts.database);
  await eve.api.users.remove.mutate({ password });
  const guest = town.browser();
  expect(await refusal(guest.api.users.signIn.mutate({ email: eve.email, password }))).toMatchObject({
    code: "UNAUTHORIZED",
  });
  expect((await guest.fetch(`/${eve.me.username}`)).status).toBe(404);
  await guest.api.users.signUp.mutate({ name: "Eve", email: eve.email, password });
  await settled(town);
  expect(count(town, `users where email = '${eve.email}'`)).toBe(1);
  expect(await wrongCounts(town)).toEqual(right);
});

test("hundreds who wait are let in a few at a time, all of them", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  await people(town, 400);
  await ana.api.users.updateSettings.mutate({ private: true });
  const ask = () =>
    fill(
      town,
      400,
      `insert into follow_requests (requester_id, owner_id, created_at) select 'p' || n, '${ana.me.id}', n from counter where true`,
    );
  await ask();
  await ana.api.users.updateSettings.mutate({ private: false });
  const first = count(town, "follows");
  expect(first).toBeLessThan(400);
  expect(first).toBeGreaterThan(0);
  await settled(town);
  expect([count(town, "follows"), count(town, "follow_requests")]).toEqual([400, 0]);
  expect(await wrongCounts(town)).toEqual(right);
});
