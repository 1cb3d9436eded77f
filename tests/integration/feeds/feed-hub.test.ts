import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { formats, readFeed } from "../../support/feeds.ts";
import { addCoAuthor, createLiveBlog, postEntry } from "../../support/live-blogs.ts";
import { siteWith } from "../../support/site-with.ts";
import { aBlog, startTestSite, until } from "../../support/test-site.ts";

/** A local hub that records notifications, and answers with the queued statuses, else 204. */
async function startHub() {
  const pings: { urls: string[]; mode: string | null }[] = [];
  const answers: number[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const params = new URLSearchParams(body);
      pings.push({ urls: params.getAll("hub.url"), mode: params.get("hub.mode") });
      response.writeHead(answers.shift() ?? 204).end();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hub`,
    pings,
    answers,
    heardOf: (url: string) =>
      until(() => pings.some(({ urls }) => urls.includes(url)), `the hub hears of ${url}`),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

test(
  "names the hub in feeds, and notifies it of each feed whose content changed",
  { tags: ["more"] },
  async () => {
    await using hub = await startHub();
    await using testSite = await startTestSite({ FEED_HUB: hub.url });
    const { publicUrl } = testSite.config;
    const ana = await testSite.createAccount("Ana");
    const { id } = await ana.api.blogs.create.mutate(aBlog({ tags: ["night", "c++"] }));
    const site = formats.map(([file]) => `${publicUrl}/${file}`);
    const person = formats.map(([file]) => `${publicUrl}/${ana.me.username}/${file}`);
    const tag = (name: string) => formats.map(([file]) => `${publicUrl}/tag/${name}/${file}`);
    for (const feeds of [site, person, tag("night"), tag("c%2B%2B")]) await hub.heardOf(feeds[0]!);
    expect(hub.pings.every(({ mode }) => mode === "publish")).toBe(true);
    expect(new Set(hub.pings.flatMap(({ urls }) => urls))).toEqual(
      new Set([...site, ...person, ...tag("night"), ...tag("c%2B%2B")]),
    );
    for (const [index, [file]] of formats.entries()) {
      const answer = await fetch(`${testSite.url}/${file}`);
      expect(answer.headers.get("link")).toBe(`<${hub.url}>; rel="hub", <${site[index]}>; rel="self"`);
      expect(await readFeed(file, await answer.text())).toMatchObject({ hub: hub.url, self: site[index] });
    }
    // It is not notified of searches.
    for (const [file] of formats) {
      const answer = await fetch(`${testSite.url}/search/${file}?q=owls`);
      expect(answer.headers.get("link")).toBeNull();
      expect(await readFeed(file, await answer.text())).toMatchObject({ hub: undefined });
    }
    // An edit and a blog that becomes private; a failed notification is retried.
    for (const change of [{ title: "Another" }, { private: true, tags: ["night", "c++", "secret"] }]) {
      hub.pings.length = 0;
      hub.answers.push(503);
      await ana.api.blogs.update.mutate({ id, ...change });
      await hub.heardOf(site[0]!);
      await hub.heardOf(tag("night")[0]!);
    }
    await until(() => testSite.jobs().length === 0, "all being told");
    expect(JSON.stringify(hub.pings)).not.toContain("secret");
    // A deleted blog leaves its tags' feeds.
    await ana.api.blogs.update.mutate({ id, private: false });
    await until(() => testSite.jobs().length === 0, "all being told");
    const deletedBlog = await ana.api.blogs.create.mutate(aBlog({ tags: ["night", "moths"] }));
    await hub.heardOf(tag("moths")[0]!);
    await until(() => testSite.jobs().length === 0, "all being told");
    hub.pings.length = 0;
    await ana.api.blogs.remove.mutate({ id: deletedBlog.id });
    for (const feeds of [site, person, tag("night"), tag("moths")]) await hub.heardOf(feeds[0]!);
    expect(hub.pings.flatMap(({ urls }) => urls)).not.toContain(tag("c%2B%2B")[0]);
    // An account that closes leaves its tags' feeds.
    await until(() => testSite.jobs().length === 0, "all being told");
    for (const isPrivate of [true, false]) {
      hub.pings.length = 0;
      await ana.api.users.updateSettings.mutate({ private: isPrivate });
      for (const feeds of [site, person, tag("night"), tag("c%2B%2B")]) await hub.heardOf(feeds[0]!);
      await until(() => testSite.jobs().length === 0, "all being told");
    }
    await ana.api.blogs.update.mutate({ id, private: true });
    // Not for what is not public.
    await until(() => testSite.jobs().length === 0, "all being told");
    hub.pings.length = 0;
    await ana.api.blogs.update.mutate({ id, title: "For followers" });
    await ana.api.blogs.create.mutate(aBlog({ draft: true }));
    expect(testSite.jobs()).toEqual([]);
    expect(hub.pings).toEqual([]);
  },
);

test(
  "notifies the hub of each author's feeds when a co-author joins, edits or leaves",
  { tags: ["more"] },
  async () => {
    await using hub = await startHub();
    await using testSite = await startTestSite({ FEED_HUB: hub.url });
    const { publicUrl } = testSite.config;
    const [ana, ben, eve] = [
      await testSite.createAccount("Ana"),
      await testSite.createAccount("Ben"),
      await testSite.createAccount("Eve"),
    ];
    const feedOf = (path: string) => `${publicUrl}${path}/feed.xml`;
    const [site, tag] = [feedOf(""), feedOf("/tag/night")];
    const [anas, bens, eves] = [ana, ben, eve].map(({ me }) => feedOf(`/${me.username}`)) as [
      string,
      string,
      string,
    ];
    const hubJobs = () => testSite.rows("select 1 from jobs where name = 'notify-hub'");
    const expectPings = async (urls: string[], action: () => Promise<unknown>) => {
      await until(() => hubJobs().length === 0, "the hub hears of everything before");
      hub.pings.length = 0;
      await action();
      for (const url of urls) await hub.heardOf(url);
      await until(() => hubJobs().length === 0, "the hub hears of everything");
      const pinged = new Set(
        hub.pings.flatMap((ping) => ping.urls).filter((url) => url.endsWith("feed.xml")),
      );
      expect(pinged).toEqual(new Set(urls));
    };
    const { id } = await ana.api.blogs.create.mutate(aBlog({ tags: ["night"] }));
    await expectPings([site, tag, anas, bens], () => addCoAuthor(ana, { id }, ben));
    await expectPings([site, tag, anas, bens, eves], () => addCoAuthor(ana, { id }, eve));
    await expectPings([site, tag, anas, bens, eves], () =>
      ana.api.blogs.update.mutate({ id, title: "Anas" }),
    );
    await expectPings([site, tag, anas, bens, eves], () =>
      ben.api.blogs.update.mutate({ id, title: "Bens" }),
    );
    await expectPings([site, tag, anas, bens, eves], () =>
      ana.api.blogs.removeAuthor.mutate({ id, userId: ben.me.id }),
    );
    await expectPings([site, tag, anas, eves], () => ana.api.blogs.remove.mutate({ id }));
    const hidden = await ana.api.blogs.create.mutate(aBlog({ private: true }));
    await addCoAuthor(ana, hidden, ben);
    await ana.api.blogs.removeAuthor.mutate({ id: hidden.id, userId: ben.me.id });
    expect(hubJobs()).toEqual([]);
  },
);

test(
  "notifies the hub of a live blog's feed and of those that show it, while everyone can read it",
  { tags: ["more"] },
  async () => {
    await using hub = await startHub();
    await using testSite = await startTestSite({ FEED_HUB: hub.url });
    const { publicUrl } = testSite.config;
    const [ana, ben] = [await testSite.createAccount("Ana"), await testSite.createAccount("Ben")];
    const blog = await createLiveBlog(ana);
    await addCoAuthor(ana, blog, ben);
    const feeds = ["", "/tag/night", ...[ana, ben].map(({ me }) => `/${me.username}`)];
    const own = `/blog/${blog.slug}`;
    const pings = async (action: () => Promise<unknown>) => {
      await until(() => testSite.jobs().length === 0, "the hub hears of everything before");
      hub.pings.length = 0;
      await action();
      await until(() => testSite.jobs().length === 0, "the hub hears of everything");
      return new Set(hub.pings.flatMap(({ urls }) => urls));
    };
    const filesOf = (paths: string[]) =>
      new Set(paths.flatMap((path) => formats.map(([file]) => `${publicUrl}${path}/${file}`)));
    let id = "";
    expect(await pings(async () => ({ id } = await postEntry(ana, blog)))).toEqual(filesOf([...feeds, own]));
    expect(await pings(() => ben.api.blogs.setSummary.mutate({ id: blog.id, summary: ["So far"] }))).toEqual(
      filesOf([...feeds, own]),
    );
    expect(await pings(() => ana.api.blogs.update.mutate({ id: blog.id, title: "Another" }))).toEqual(
      filesOf([...feeds, own]),
    );
    expect(await pings(() => ben.api.blogs.likeEntry.mutate({ id, liked: true }))).toEqual(new Set());
    const [file] = formats[0]!;
    const answer = await fetch(`${testSite.url}${own}/${file}`);
    expect(answer.headers.get("link")).toContain(`<${hub.url}>; rel="hub", <${publicUrl}${own}/${file}>`);
    expect(await readFeed(file, await answer.text())).toMatchObject({ hub: hub.url });
    // Not its address, once it is private.
    expect(await pings(() => ana.api.blogs.update.mutate({ id: blog.id, private: true }))).toEqual(
      filesOf(feeds),
    );
    expect(await pings(() => postEntry(ana, blog))).toEqual(new Set());
  },
);

test("notifies no hub where none is set, and refuses an invalid setting", async () => {
  const [testSite, ana] = await siteWith("Ana");
  await ana.api.blogs.create.mutate(aBlog());
  expect(testSite.rows("select 1 from jobs where name = 'notify-hub'")).toEqual([]);
  expect((await fetch(`${testSite.url}/feed.xml`)).headers.get("link")).toBeNull();
  const error = await startTestSite({ FEED_HUB: "not-an-address" }).catch((cause: unknown) => String(cause));
  expect(error).toContain("FEED_HUB");
});
