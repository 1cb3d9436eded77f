import { expect, test } from "vitest";
import { buildApp } from "../../../src/server/app.ts";
import { checkAndRepair } from "../../../src/server/database/check-and-repair.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { siteWith } from "../../support/site-with.ts";
import {
  aBlog,
  aComment,
  paragraphs,
  password,
  refusal,
  rowsOfSite,
  until,
  type TestSite,
} from "../../support/test-site.ts";

/** Runs `statement` for each number `n` of `1..count`, without the server's checks. */
const insertRows = (testSite: TestSite, count: number, statement: string) =>
  testSite.run(
    `with recursive counter(n) as (select 1 union all select n + 1 from counter where n < ${count}) ${statement}`,
  );
const count = (testSite: TestSite, fromClause: string) =>
  testSite.rows<{ total: number }>(`select count(*) as total from ${fromClause}`)[0]?.total;
const insertPeople = (testSite: TestSite, total: number) =>
  insertRows(
    testSite,
    total,
    "insert into users (id, username, email, name, created_at, verified_at) select 'p' || n, 'person' || n, 'p' || n || '@example.org', 'Somebody', 1, 1 from counter where true",
  );
/** Inserts threads of three comments under a blog: two reply to the first, and the last is by `authorId`. */
const insertThreads = async (
  testSite: TestSite,
  blogId: string,
  total: number,
  authorId: string,
  prefix: string,
) => {
  await insertRows(
    testSite,
    total,
    `insert into comments (id, blog_id, parent_id, root_id, author_id, text, created_at)
     select '${prefix}' || n, '${blogId}', case when n % 3 = 1 then null else '${prefix}' || (n - (n - 1) % 3) end,
       '${prefix}' || (n - (n - 1) % 3), case when n % 3 = 0 then '${authorId}' else 'p' || (n % 50 + 1) end, 'word', n from counter where true`,
  );
  await testSite.run(`update blogs set comments_count = comments_count + ${total} where id = '${blogId}'`);
};
/** Jobs without the recurring housekeeping. */
const pendingJobs = "jobs where name not like 'tidy.%'";
const awaitPendingJobs = (testSite: TestSite) =>
  until(() => count(testSite, pendingJobs) === 0, "the end of the rest");
const wrongCounts = async (testSite: TestSite) => {
  const { integrity, brokenReferences, recounted } = await checkAndRepair(testSite.app.services.database);
  return [integrity, brokenReferences, Object.values(recounted).filter((rows) => rows > 0)];
};
const correctCounts = [["ok"], 0, []];

test(
  "deleting a blog with thousands of comments hides it at once and deletes its rows in small steps",
  { tags: ["more"] },
  async () => {
    const [testSite, ana] = await siteWith("Ana");
    await insertPeople(testSite, 50);
    const [deletedBlog, otherBlog] = [
      await ana.api.blogs.create.mutate(aBlog()),
      await ana.api.blogs.create.mutate(aBlog()),
    ];
    await insertThreads(testSite, deletedBlog.id, 9_000, ana.me.id, "c");
    await ana.api.comments.create.mutate(aComment(otherBlog));
    await ana.api.blogs.remove.mutate({ id: deletedBlog.id });
    // The job is running, the blog is not found, and others can write.
    expect(count(testSite, pendingJobs)).toBe(1);
    const lookup = refusal(testSite.browser().api.blogs.bySlug.query({ slug: deletedBlog.slug }));
    const commenting = ana.api.comments.create.mutate(aComment(otherBlog));
    const commentCounts = new Set<number | undefined>();
    await until(
      () => commentCounts.add(count(testSite, "comments")) && count(testSite, pendingJobs) === 0,
      "the end of the rest",
    );
    expect(commentCounts.size).toBeGreaterThan(5);
    expect(await lookup).toMatchObject({ code: "NOT_FOUND" });
    await commenting;
    expect([count(testSite, "blogs"), count(testSite, "comments")]).toEqual([1, 2]);
    expect(await wrongCounts(testSite)).toEqual(correctCounts);
  },
);

test("deleting a large account takes effect at once, and its rows are deleted even over a restart", async () => {
  const [testSite, ana, eve] = await siteWith("Ana", "Eve");
  await insertPeople(testSite, 2_000);
  const anasBlog = await ana.api.blogs.create.mutate(aBlog());
  const evesBlog = await eve.api.blogs.create.mutate(aBlog({ document: paragraphs("Eve's own") }));
  await insertThreads(testSite, anasBlog.id, 3_000, eve.me.id, "c");
  await insertThreads(testSite, evesBlog.id, 1_500, ana.me.id, "d");
  // One of hers has Ana's reply, to which she replied; another has only her own.
  const answeredComment = await eve.api.comments.create.mutate(
    aComment(anasBlog, { text: "hers, answered" }),
  );
  const answer = await ana.api.comments.create.mutate(aComment(anasBlog, { parentId: answeredComment.id }));
  await eve.api.comments.create.mutate(aComment(anasBlog, { parentId: answer.id, text: "hers, last" }));
  const loneComment = await eve.api.comments.create.mutate(aComment(anasBlog, { text: "alone" }));
  await eve.api.comments.create.mutate(
    aComment(anasBlog, { parentId: loneComment.id, text: "with herself" }),
  );
  for (const [table, columns] of [
    ["follows", "follower_id, followed_id, created_at"],
    ["follow_requests", "requester_id, owner_id, created_at"],
  ])
    await insertRows(
      testSite,
      1_500,
      `insert into ${table} (${columns}) select 'p' || n, '${eve.me.id}', n from counter where true`,
    );
  await insertRows(
    testSite,
    900,
    `insert into comment_likes (comment_id, user_id, created_at) select 'c' || n, '${eve.me.id}', n from counter where n % 3 = 1`,
  );
  await checkAndRepair(testSite.app.services.database);

  await eve.api.users.remove.mutate({ password });
  expect(count(testSite, pendingJobs)).toBe(1);
  expect(count(testSite, `users where email = '${eve.email}'`)).toBe(0);
  await testSite.app.close();
  // Another server continues.
  const app = await buildApp(testSite.config);
  const restartedSite = {
    app,
    rows: (statement: string) => rowsOfSite({ app, config: testSite.config }, statement),
  } as TestSite;
  await awaitPendingJobs(restartedSite);
  expect(count(restartedSite, `users where id = '${eve.me.id}'`)).toBe(0);
  expect(
    count(restartedSite, `comments where author_id = '${eve.me.id}' or blog_id = '${evesBlog.id}'`),
  ).toBe(0);
  // A comment with replies by others stays, emptied; all others of hers are deleted.
  expect(restartedSite.rows("select id, text from comments where author_id is null")).toEqual([
    { id: answeredComment.id, text: "" },
  ]);
  expect(count(restartedSite, `comments where id = '${loneComment.id}'`)).toBe(0);
  expect([count(restartedSite, "follows"), count(restartedSite, "follow_requests")]).toEqual([0, 0]);
  expect(await wrongCounts(restartedSite)).toEqual(correctCounts);
  await app.close();
});

test("a large account cannot sign in or be found once it is deleted, and its email address can sign up again", async () => {
  const [testSite, , eve] = await siteWith("Ana", "Eve");
  await insertPeople(testSite, 2_000);
  await insertRows(
    testSite,
    2_000,
    `insert into follows (follower_id, followed_id, created_at) select 'p' || n, '${eve.me.id}', n from counter where true`,
  );
  await checkAndRepair(testSite.app.services.database);
  await eve.api.users.remove.mutate({ password });
  const guest = testSite.browser();
  await expectRefusal(guest.api.users.signIn.mutate({ email: eve.email, password }), "UNAUTHORIZED");
  expect((await guest.fetch(`/${eve.me.username}`)).status).toBe(404);
  await guest.api.users.signUp.mutate({ name: "Eve", email: eve.email, password });
  await awaitPendingJobs(testSite);
  expect(count(testSite, `users where email = '${eve.email}'`)).toBe(1);
  expect(await wrongCounts(testSite)).toEqual(correctCounts);
});

test("accepts hundreds of follow requests in small steps when an account becomes public", async () => {
  const [testSite, ana] = await siteWith("Ana");
  await insertPeople(testSite, 400);
  await ana.api.users.updateSettings.mutate({ private: true });
  const insertRequests = () =>
    insertRows(
      testSite,
      400,
      `insert into follow_requests (requester_id, owner_id, created_at) select 'p' || n, '${ana.me.id}', n from counter where true`,
    );
  await insertRequests();
  await ana.api.users.updateSettings.mutate({ private: false });
  const first = count(testSite, "follows");
  expect(first).toBeLessThan(400);
  expect(first).toBeGreaterThan(0);
  await awaitPendingJobs(testSite);
  expect([count(testSite, "follows"), count(testSite, "follow_requests")]).toEqual([400, 0]);
  expect(await wrongCounts(testSite)).toEqual(correctCounts);
});
