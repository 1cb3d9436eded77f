import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { execute } from "../../../src/server/database/connection.ts";
import { limits } from "../../../src/shared/limits.ts";
import { ApiClient } from "../../support/api-client.ts";
import { numberedId, numberedIdSql, runStatements } from "../../support/bulk-rows.ts";
import { siteWith } from "../../support/site-with.ts";
import { aBlog, aComment, type TestSite } from "../../support/test-site.ts";

/* Lists of people in /api/v1: at most the newest thousand, the viewer included. */

const { most } = limits.people;
const crowd = most + 200;
/** The ids of the crowd: a later member has a lower one. */
const member = (index: number) => numberedId(0, crowd - index);
const newest = Array.from({ length: most }, (_, index) => member(crowd - 1 - index));

/** Inserts the crowd one after another, and a row of each member per insert. `userId` is a member's id, `time` when they came. */
async function insertCrowd(testSite: TestSite, ...inserts: ((userId: string, time: string) => string)[]) {
  const [userId, time] = [numberedIdSql(0, `${crowd} - n`), "n + 1"];
  await runStatements(
    testSite,
    `insert into users (id, username, email, name, show_saved_blogs, verified_at, created_at)
      select ${userId}, 'crowd' || n, 'crowd' || n || '@example.org', 'Crowd', 1, 1, 1 from numbers(${crowd})`,
    ...inserts.map((insert) => `insert into ${insert(userId, time)} from numbers(${crowd})`),
  );
}

test("lists the newest thousand people of a blog, a hundred in lists, and the viewer, however early they came", async () => {
  const [testSite, ana, eve, bob] = await siteWith("Ana", "Eve", "Bob");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const comment = await ana.api.comments.create.mutate(aComment(blog));
  const others = await ana.api.comments.create.mutate(aComment(blog, { parentId: comment.id }));
  // Eve is the first in each list.
  await eve.api.social.likeBlog.mutate({ blogId: blog.id, liked: true });
  await eve.api.social.saveBlog.mutate({ blogId: blog.id, saved: true });
  await eve.api.comments.like.mutate({ id: comment.id, liked: true });
  await eve.api.social.follow.mutate({ userId: ana.me.id, follow: true });
  await ana.api.social.follow.mutate({ userId: eve.me.id, follow: true });
  await ana.api.comments.like.mutate({ id: comment.id, liked: true });
  await bob.api.comments.like.mutate({ id: others.id, liked: true });
  await testSite.write(async (tx) => {
    for (const table of ["blog_likes", "blog_saves", "comment_likes", "follows"])
      await execute(tx, sql.raw(`update ${table} set created_at = 0`));
  });
  await insertCrowd(
    testSite,
    (userId, time) => `blog_likes (blog_id, user_id, created_at) select '${blog.id}', ${userId}, ${time}`,
    (userId, time) => `blog_saves (blog_id, user_id, created_at) select '${blog.id}', ${userId}, ${time}`,
    (userId, time) =>
      `comment_likes (comment_id, user_id, created_at) select '${comment.id}', ${userId}, ${time}`,
    (userId, time) =>
      `follows (follower_id, followed_id, created_at) select ${userId}, '${ana.me.id}', ${time}`,
    (userId, time) =>
      `follows (follower_id, followed_id, created_at) select '${ana.me.id}', ${userId}, ${time}`,
  );

  const idsOf = (people: { _id: string }[]) => people.map(({ _id }) => _id);
  async function lists(client: ApiClient): Promise<Record<string, string[]>> {
    const restBlog = (await client.call("GET", `/blogs/${blog.slug}`)).body.blog;
    const [card] = (await client.call("GET", "/blogs")).body.blogs;
    for (const list of [idsOf(card.likes), card.totalSaves])
      expect(list).toEqual(restBlog.likes.slice(0, 100));
    const { user } = (await client.call("GET", `/users/${ana.me.username}`)).body;
    expect(restBlog.comments[0].replies[0].likes).toEqual([bob.me.id]);
    return {
      "a blog's likes": restBlog.likes,
      "a blog's saves": restBlog.totalSaves,
      "a comment's likes": restBlog.comments[0].likes,
      "an author's followers": idsOf(restBlog.creator.followers),
      "a profile's followers": idsOf(user.followers),
      "whom a profile follows": idsOf(user.following),
    };
  }
  const expectInAll = (idLists: Record<string, string[]>, ids: string[]) =>
    expect(idLists).toEqual(Object.fromEntries(Object.keys(idLists).map((list) => [list, ids])));

  expectInAll(await lists(new ApiClient(testSite)), newest);
  expectInAll(await lists(await ApiClient.of(testSite, eve)), [eve.me.id, ...newest.slice(0, -1)]);
  const anas = await ApiClient.of(testSite, ana);
  const edit = { updatedCommentContent: "Lovelier." };
  const { updatedComment } = (await anas.call("PATCH", `/blogs/edit-comment/${comment.id}`, edit)).body;
  expect(updatedComment.likes).toEqual([ana.me.id, ...newest.slice(0, -1)]);
  const eves = await ApiClient.of(testSite, eve);
  const byAuthor = (await eves.call("GET", `/blogs/user/${ana.me.id}`)).body.blogs;
  expect(byAuthor[0].likes).toEqual([eve.me.id, ...newest.slice(0, 99)]);
});
