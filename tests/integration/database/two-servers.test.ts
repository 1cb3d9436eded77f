import { describe, expect, onTestFinished, test } from "vitest";
import { isPostgres } from "../../../src/server/database/schema/store.ts";
import { startProxy } from "../../support/postgres-proxy.ts";
import { aBlog, aComment, followBlog, followTopic, TestSite, until } from "../../support/test-site.ts";

/* Two servers of one site. */

async function startTwo({ proxied = false } = {}) {
  const one = await TestSite.start();
  const url = one.config.databaseUrl ?? "";
  const proxy = proxied ? await startProxy(url) : undefined;
  onTestFinished(async () => proxy?.[Symbol.asyncDispose]());
  const other = await TestSite.start({ DATABASE_URL: proxy?.url ?? url });
  for (const site of [one, other]) onTestFinished(() => site[Symbol.asyncDispose]());
  const ana = await one.createAccount("Ana");
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog());
  const { cursor } = await ana.api.blogs.bySlug.query({ slug });
  return { one, other, ana, blog: { id, slug }, cursor, proxy: proxy! };
}

describe.skipIf(!isPostgres)("two servers on one PostgreSQL", () => {
  test("a page gets what another server stored, each event once and in order", async () => {
    const { one, other, ana, blog, cursor } = await startTwo();
    const eve = await other.createAccount("Eve");
    const streams = [one, other].map((site) => followBlog(site.browser(), blog.id, cursor));
    const texts = Array.from({ length: 40 }, (_, index) => `comment ${index}`);
    // By both at once: whoever stores first comes first, on either server's pages.
    const writers = [ana, eve].map(async ({ api }, who) => {
      for (const text of texts.filter((_, index) => index % 2 === who))
        await api.comments.create.mutate(aComment(blog, { text }));
    });
    await Promise.all(writers);
    const heard = [];
    for (const stream of streams) {
      await stream.waitFor("comment.created", texts.length);
      heard.push(stream.events("comment.created").map(({ comment }) => comment.text));
    }
    const stored = one
      .rows<{ text: string }>("select text from comments order by seq")
      .map(({ text }) => text);
    expect(heard).toEqual([stored, stored]);
    expect([...stored].sort()).toEqual([...texts].sort());
  });

  test("a session that ends on one server is closed on the other, and hears nothing more", async () => {
    const { one, other, ana } = await startTwo();
    const tab = other.browser(ana.cookie);
    const stream = followTopic(tab, "me");
    await stream.waitForStart();
    await ana.api.users.signOut.mutate();
    await until(async () => (await tab.api.users.me.query()) === null, "the sign-out on the other server");
    await until(
      () => tab.sockets.every((socket) => socket.readyState === socket.CLOSED),
      "the closed connection",
    );
    expect(one.app.services.database.file).toBe(other.app.services.database.file);
  });

  test("a page loses what its viewer can no longer read, within a second of the answer", async () => {
    const { other, ana, blog } = await startTwo();
    const reader = other.browser();
    const stream = followBlog(reader, blog.id, undefined);
    await stream.waitForStart();
    await ana.api.users.updateSettings.mutate({ private: true });
    await ana.api.comments.create.mutate(aComment(blog, { text: "for followers" }));
    await until(() => stream.kinds().includes("accessLost"), "the lost access");
    expect(stream.events("comment.created")).toEqual([]);
  });

  test.each(["refused", "silent"] as const)(
    "a server whose way to the store is %s is not ready, shows pages from memory, and what changed once it can",
    async (state) => {
      const { other, ana, blog, proxy } = await startTwo({ proxied: true });
      const page = async () => {
        const response = await fetch(`${other.url}/blog/${blog.slug}`);
        return { status: response.status, text: await response.text() };
      };
      const readiness = async () => {
        const response = await fetch(`${other.url}/readyz`);
        return [response.status, ((await response.json()) as { status: string }).status];
      };
      expect(await readiness()).toEqual([200, "ready"]);
      const before = await page();
      expect(before.status).toBe(200);
      proxy.state = state;
      await until(async () => (await readiness())[0] === 503, "not being ready");
      expect((await readiness())[1]).toBe("cannot read");
      await ana.api.blogs.update.mutate({ ...aBlog({ title: "Another title" }), id: blog.id });
      await until(async () => (await page()).text === before.text, "the page from memory");
      proxy.state = "open";
      await until(async () => (await page()).text.includes("Another title"), "the change");
      await until(async () => (await readiness())[0] === 200, "being ready");
    },
  );
});
