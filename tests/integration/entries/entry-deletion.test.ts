import { expect, test } from "vitest";
import { checkAndRepair } from "../../../src/server/database/check-and-repair.ts";
import { insertEntriesSql, insertPeopleSql, numberedId, runStatements } from "../../support/bulk-rows.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { addCoAuthor, createLiveBlog, listEntries, postEntry } from "../../support/live-blogs.ts";
import { upload } from "../../support/pictures.ts";
import { siteWith } from "../../support/site-with.ts";
import { followBlog, password, until, type TestSite } from "../../support/test-site.ts";

const count = (testSite: TestSite, fromClause: string) =>
  testSite.rows<{ total: number }>(`select count(*) as total from ${fromClause}`)[0]!.total;
/** The followers may not have been notified yet. */
const deletionsOf = (testSite: TestSite) =>
  testSite.jobs().flatMap(({ name }) => (name === "notify-followers" ? [] : [name]));

const awaitJobs = (testSite: TestSite) => until(() => testSite.jobs().length === 0, "the end of the rest");
const expectIntact = async (testSite: TestSite) => {
  const { integrity, brokenReferences, recounted } = await checkAndRepair(testSite.app.services.database);
  expect([integrity, brokenReferences, Object.entries(recounted).filter(([, rows]) => rows > 0)]).toEqual([
    ["ok"],
    0,
    [],
  ]);
};
/** Inserts people who like an entry. */
const insertLikes = (testSite: TestSite, entryId: string, people: number) =>
  runStatements(
    testSite,
    insertPeopleSql(4, people),
    `insert into entry_likes (entry_id, user_id, created_at) select '${entryId}', id, 1 from users where username like 'crowd4-%'`,
    `update entries set likes_count = likes_count + ${people} where id = '${entryId}'`,
  );

test("deletes a blog with 700 entries and their likes in steps, and hides it at once", async () => {
  const [testSite, ana, eve] = await siteWith("Ana", "Eve");
  const [blog, other] = [await createLiveBlog(ana), await createLiveBlog(ana)];
  const kept = await postEntry(ana, other);
  await eve.api.blogs.likeEntry.mutate({ id: kept.id, liked: true });
  const picture = await upload(ana);
  const image = { type: "image", attrs: { src: picture.src } };
  await postEntry(ana, blog, {
    document: { type: "doc", content: [{ type: "paragraph", content: [image] }] },
  });
  const place = { blogId: blog.id, authorId: ana.me.id };
  await runStatements(
    testSite,
    insertEntriesSql(1, 700, place, { withdrawn_at: "case n % 3 when 0 then 1 end" }),
  );
  await insertLikes(testSite, numberedId(1, 650), 400);
  const page = followBlog(testSite.browser(), blog.id);
  await page.waitForStart();
  await ana.api.blogs.remove.mutate({ id: blog.id });
  expect(deletionsOf(testSite)).toEqual(["delete-blog"]);
  // Part of it is left, which nobody can read.
  expect(count(testSite, `entries where blog_id = '${blog.id}'`)).toBeGreaterThan(300);
  await expectRefusal(listEntries(eve, blog), "NOT_FOUND");
  await page.waitFor("accessLost");
  await awaitJobs(testSite);
  expect([
    count(testSite, "entries"),
    count(testSite, "entry_likes"),
    count(testSite, "entry_media"),
  ]).toEqual([1, 1, 0]);
  expect(testSite.rows(`select id from media where unused_at is not null`)).toEqual([{ id: picture.id }]);
  expect((await listEntries(eve, other)).entries).toMatchObject([{ id: kept.id, liked: true }]);
  await expectIntact(testSite);
});

test("leaves a deleted co-author's entries to the blog, without their name, and deletes their likes", async () => {
  const [testSite, ana, ben, eve] = await siteWith("Ana", "Ben", "Eve");
  const blog = await createLiveBlog(ana);
  await addCoAuthor(ana, blog, ben);
  const [byBen, byAna] = [await postEntry(ben, blog), await postEntry(ana, blog)];
  for (const who of [ben, eve])
    for (const { id } of [byBen, byAna]) await who.api.blogs.likeEntry.mutate({ id, liked: true });
  const page = followBlog(testSite.browser(), blog.id);
  await page.waitForStart();
  await ben.api.users.remove.mutate({ password });
  await page.waitFor("entry.liked", 2);
  expect(page.events("entry.liked").map(({ entryId, likesCount }) => ({ entryId, likesCount }))).toEqual(
    expect.arrayContaining([byBen.id, byAna.id].map((entryId) => ({ entryId, likesCount: 1 }))),
  );
  expect((await listEntries(eve, blog)).entries).toMatchObject([
    { id: byBen.id, author: null, html: byBen.html, likesCount: 1, liked: true },
    { id: byAna.id, author: { name: "Ana" }, likesCount: 1 },
  ]);
  // The owner can still change it, and a live event names nobody.
  await ana.api.blogs.withdrawEntry.mutate({ id: byBen.id, withdrawn: true });
  await ana.api.blogs.withdrawEntry.mutate({ id: byBen.id, withdrawn: false });
  await page.waitFor("entry.posted");
  expect(page.events("entry.posted")).toMatchObject([{ entry: { id: byBen.id, author: null } }]);
  await expectIntact(testSite);
});

test("removes the name and the likes of an account with 700 entries and likes in steps", async () => {
  const [testSite, ana, ben] = await siteWith("Ana", "Ben");
  const blog = await createLiveBlog(ana);
  await addCoAuthor(ana, blog, ben);
  const own = await createLiveBlog(ben);
  await runStatements(
    testSite,
    insertEntriesSql(1, 700, { blogId: blog.id, authorId: ben.me.id }),
    insertEntriesSql(2, 700, { blogId: blog.id, authorId: ana.me.id }),
    insertEntriesSql(3, 400, { blogId: own.id, authorId: ben.me.id }),
    `insert into entry_likes (entry_id, user_id, created_at)
     select e.id, u.id, 1 from entries e, users u where e.blog_id = '${blog.id}' and (u.id = '${ana.me.id}' or e.author_id = '${ana.me.id}')`,
    "update entries set likes_count = (select count(*) from entry_likes where entry_id = entries.id)",
  );
  await ben.api.users.remove.mutate({ password });
  expect(deletionsOf(testSite)).toEqual(["delete-account"]);
  await awaitJobs(testSite);
  expect(count(testSite, `users where id = '${ben.me.id}'`)).toBe(0);
  expect(count(testSite, `entries where blog_id = '${own.id}'`)).toBe(0);
  expect(
    testSite.rows(
      "select author_id is null as gone, likes_count as likes, count(*) as total from entries group by 1, 2 order by 1",
    ),
  ).toEqual([
    { gone: 0, likes: 1, total: 700 },
    { gone: 1, likes: 1, total: 700 },
  ]);
  await expectIntact(testSite);
});
