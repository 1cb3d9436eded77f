import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { rowsOf } from "../../../src/server/database/connection.ts";
import { isPostgres } from "../../../src/server/database/schema/store.ts";
import { entry } from "../../support/entry.ts";
import { signUpAndSignIn, openBrowser, type SignedInBrowser } from "../../support/browser.ts";
import { besideServer } from "../../support/second-database.ts";
import { startServer, type ServerProcess } from "../../support/server.ts";
import { until } from "../../support/until.ts";
import { aBlog, aComment, followBlog } from "../../support/test-site.ts";
import { writeConcurrently, type AcknowledgedCalls } from "../../support/write-concurrently.ts";

const inspectDatabase = (dataDir: string) =>
  besideServer(dataDir, async ({ read }) => {
    const all = <Row>(statement: string) => rowsOf<Row>(read, statement);
    const events = (await all<{ event: string }>("select event from live_events order by seq")).map(
      ({ event }) => JSON.parse(event) as { kind: string; commentId: string },
    );
    const commentsOf = (kind: string) =>
      events.filter((event) => event.kind === kind).map(({ commentId }) => commentId);
    return {
      // PostgreSQL lets no reference break, and does not check itself.
      damage: isPostgres
        ? []
        : [
            ...(await all<{ integrity_check: string }>("pragma integrity_check")).filter(
              (row) => row.integrity_check !== "ok",
            ),
            ...(await all("pragma foreign_key_check")),
          ],
      comments: (await all<{ id: string }>("select id from comments order by seq")).map(({ id }) => id),
      likes: (
        await all<{ key: string }>("select comment_id || ' ' || user_id as key from comment_likes")
      ).map(({ key }) => key),
      createdEvents: commentsOf("comment.created"),
      likeEvents: commentsOf("comment.liked"),
      counts: await all<{ kept: number; counted: number }>(
        "select comments_count as kept, (select count(*) from comments where blog_id = b.id) as counted from blogs b",
      ),
      likeCounts: await all(
        "select id from comments c where likes_count <> (select count(*) from comment_likes where comment_id = c.id)",
      ),
    };
  });

test("keeps every acknowledged change when the server is killed, and readers miss no event", async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), "reprise-crash-"));
  const settings: Record<string, string> = { DATA_DIR: dataDir };
  let server: ServerProcess = await startServer(settings);
  settings.PORT = String(server.port);
  const { url } = server;
  const reader = openBrowser(url);
  const people = await Promise.all(
    ["Ana", "Eve", "Bob", "Kim", "Zoe"].map((name) =>
      signUpAndSignIn(openBrowser(url), name, path.join(dataDir, "outbox")),
    ),
  );
  const [ana] = people as [SignedInBrowser];
  try {
    const blog = await ana.api.blogs.create.mutate(aBlog());
    const { cursor } = await reader.api.blogs.bySlug.query({ slug: blog.slug });
    const stream = followBlog(reader, blog.id, cursor);
    await stream.waitForStart();
    const receivedIds = () => stream.events("comment.created").map(({ comment }) => comment.id);

    for (const after of [20, 60, 35]) {
      const acknowledged: AcknowledgedCalls = { comments: new Set(), likes: new Set(), requestCount: 0 };
      const writes = writeConcurrently(people, blog, acknowledged);
      await until(() => acknowledged.comments.size >= after, "the writing");
      await server.kill();
      await writes;
      // Not all calls were answered.
      expect(acknowledged.comments.size + acknowledged.likes.size).toBeLessThan(acknowledged.requestCount);
      server = await startServer(settings);
      expect((await fetch(`${url}/readyz`)).status).toBe(200);

      const contents = await inspectDatabase(dataDir);
      expect(contents.damage).toEqual([]);
      expect([...acknowledged.comments].filter((id) => !contents.comments.includes(id))).toEqual([]);
      expect([...acknowledged.likes].filter((key) => !contents.likes.includes(key))).toEqual([]);
      // Every change has its event and every event its change.
      expect(contents.createdEvents).toEqual(contents.comments);
      expect(contents.likeEvents.toSorted()).toEqual(
        contents.likes.map((key) => key.slice(0, key.indexOf(" "))).toSorted(),
      );
      expect(contents.counts).toEqual([
        { kept: contents.comments.length, counted: contents.comments.length },
      ]);
      expect(contents.likeCounts).toEqual([]);

      // The reader, disconnected by the crash, reconnects by itself.
      const sentinel = aComment(blog, { text: "the server is back" });
      await until(
        () => ana.api.comments.create.mutate(sentinel).catch(() => false),
        "a write after the restart",
      );
      await until(() => receivedIds().includes(sentinel.id), "the reader's return");
      expect(receivedIds()).toEqual((await inspectDatabase(dataDir)).comments);
    }
    expect(stream.kinds()).not.toContain("reset");
    const cursors = stream.eventFrames().map(({ seq }) => seq);
    expect(cursors).toEqual([...new Set(cursors)].toSorted((a, b) => a - b));
  } finally {
    for (const browser of [reader, ...people]) await browser.close();
    await server.kill();
    await rm(dataDir, { recursive: true, force: true });
  }
});

test("finishes requests under way and exits with 0 when told to stop", async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), "reprise-stop-"));
  await using server = await startServer({ DATA_DIR: dataDir });
  const ana = await signUpAndSignIn(openBrowser(server.url), "Ana", path.join(dataDir, "outbox"));
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const stream = followBlog(ana, blog.id, undefined);
  await stream.waitForStart();
  const acknowledged: AcknowledgedCalls = { comments: new Set(), likes: new Set(), requestCount: 0 };
  const writes = writeConcurrently([ana], blog, acknowledged);
  await until(() => acknowledged.comments.size >= 20);
  expect(await server.stop()).toBe(0);
  await writes;
  const contents = await inspectDatabase(dataDir);
  expect([...acknowledged.comments].filter((id) => !contents.comments.includes(id))).toEqual([]);
  expect(contents.createdEvents).toEqual(contents.comments);
  await ana.close();
  await rm(dataDir, { recursive: true, force: true });
});

test(
  "ends the start with one clear line where the address or port can’t be used or a setting is wrong",
  { tags: ["more"] },
  async () => {
    const dataDir = await mkdtemp(path.join(tmpdir(), "reprise-start-"));
    await using server = await startServer({ DATA_DIR: dataDir });
    const { execFile } = await import("node:child_process");
    const run = (settings: Record<string, string>) =>
      new Promise<{ code: number; output: string }>((resolve) => {
        execFile(
          process.execPath,
          [entry("main")],
          {
            env: { DATA_DIR: path.join(dataDir, JSON.stringify(settings)), LOG_LEVEL: "silent", ...settings },
          },
          (error, _out, stderr) => resolve({ code: Number(error?.code ?? 0), output: stderr.trim() }),
        );
      });
    const [portInUse, otherHost, unknownHost, wrongPort, incompleteGoogle] = await Promise.all([
      run({ PORT: String(server.port) }),
      run({ HOST: "203.0.113.7", PORT: "0" }),
      run({ HOST: "none.invalid", PORT: "0" }),
      run({ PORT: "http" }),
      run({ GOOGLE_CLIENT_ID: "x", PORT: "0" }),
    ]);
    expect(portInUse).toEqual({
      code: 1,
      output: `Port ${server.port} on 127.0.0.1 is in use. Stop the other program or set PORT to another port.`,
    });
    for (const { code, output } of [otherHost, unknownHost])
      expect([code, output]).toEqual([
        1,
        expect.stringMatching(/^HOST is .+, which is no address of this machine.+$/),
      ]);
    expect(wrongPort.code).toBe(1);
    expect(wrongPort.output).toMatch(/^The setting PORT is wrong: .+$/);
    expect(incompleteGoogle.output).toMatch(
      /^The settings GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET go together.+$/,
    );
    await server.kill();
    await rm(dataDir, { recursive: true, force: true });
  },
);
