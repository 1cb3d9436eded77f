import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { expect, test } from "vitest";
import { postgresPrograms } from "../../../scripts/postgres.ts";
import { cluster, kindsOfFailure } from "../../simulation/history-site.ts";
import { openBrowser, signUpAndSignIn } from "../../support/browser.ts";
import { aBlog, aComment, followOverLiveConnection } from "../../support/test-site.ts";
import { until } from "../../support/until.ts";
import { writeConcurrently, type AcknowledgedCalls } from "../../support/write-concurrently.ts";

/* Three servers on PostgreSQL while one of them, or PostgreSQL, fails. With pages in browsers: npm run soak -- --cluster. */

test.skipIf(!postgresPrograms())(
  "no answered write is lost and none is sent twice, whichever server or store fails",
  { tags: ["more"] },
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "reprise-cluster-"));
    await using cleanUp = new AsyncDisposableStack();
    cleanUp.defer(() => rm(folder, { recursive: true, force: true }));
    const store = cleanUp.use(await cluster(folder));
    const data = await store.create();
    cleanUp.defer(() => rm(data.folder, { recursive: true, force: true }));
    const site = await store.start(data);
    cleanUp.defer(() => site.kill());
    const people = await Promise.all(
      ["Ana", "Eve", "Bob", "Kim", "Zoe"].map((name) =>
        signUpAndSignIn(openBrowser(site.url), name, path.join(data.folder, "outbox")),
      ),
    );
    const readers = [1, 2, 3].map(() => openBrowser(site.url));
    for (const browser of [...people, ...readers]) cleanUp.defer(() => browser.close());
    const [ana] = people;
    const blog = await ana!.api.blogs.create.mutate(aBlog());
    const { cursor } = await ana!.api.blogs.bySlug.query({ slug: blog.slug });
    const streams = readers.map((reader) => followOverLiveConnection(reader, [`blog:${blog.id}`], cursor));
    for (const stream of streams) cleanUp.defer(() => stream.stop());

    for (let failure = 0; failure < kindsOfFailure; failure++) {
      const acknowledged: AcknowledgedCalls = { comments: new Set(), likes: new Set(), requestCount: 0 };
      let isOver = false;
      const writing = (async () => {
        while (!isOver) await writeConcurrently(people, blog, acknowledged, 20);
      })();
      await until(() => acknowledged.comments.size >= 20, "the writing");
      await site.fail(async () => undefined);
      const before = acknowledged.comments.size;
      await until(() => acknowledged.comments.size > before, "writing after the failure");
      isOver = true;
      await writing;
      const sentinel = aComment(blog, { text: "all is well" });
      await until(() => ana!.api.comments.create.mutate(sentinel).catch(() => false), "a last write");
      const stored = await contentsOf(site.environment.DATABASE_URL ?? "");
      expect([...acknowledged.comments].filter((id) => !stored.comments.includes(id))).toEqual([]);
      expect([...acknowledged.likes].filter((key) => !stored.likes.includes(key))).toEqual([]);
      expect(stored.created).toEqual(stored.comments);
      expect(stored.wrongCounts).toEqual([]);
      for (const stream of streams) {
        const received = () => stream.events("comment.created").map(({ comment }) => comment.id);
        await until(() => received().includes(sentinel.id), "the last comment");
        expect(received()).toEqual(stored.comments);
      }
    }
  },
);

async function contentsOf(url: string) {
  const client = new pg.Client(url);
  await client.connect();
  const all = async <Row extends object>(statement: string) => (await client.query<Row>(statement)).rows;
  const events = await all<{ event: string }>("select event from live_events order by seq");
  const contents = {
    comments: (await all<{ id: string }>("select id from comments order by seq")).map(({ id }) => id),
    likes: (await all<{ key: string }>("select comment_id || ' ' || user_id as key from comment_likes")).map(
      ({ key }) => key,
    ),
    created: events
      .map(({ event }) => JSON.parse(event) as { kind: string; commentId: string })
      .flatMap(({ kind, commentId }) => (kind === "comment.created" ? [commentId] : [])),
    wrongCounts: await all(
      `select id from blogs where comments_count <> (select count(*) from comments where blog_id = blogs.id)
        union all select id from comments where likes_count <> (select count(*) from comment_likes where comment_id = comments.id)`,
    ),
  };
  await client.end();
  return contents;
}
