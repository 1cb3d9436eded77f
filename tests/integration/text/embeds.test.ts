import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { importingAs } from "../../../src/server/accounts/acting-as.ts";
import { RateLimits } from "../../../src/server/auth/rate-limits.ts";
import { EmbedCards } from "../../../src/server/text/embed-cards.ts";
import { schema } from "../../../src/shared/document/schema.ts";
import { ApiClient, blogForm } from "../../support/api-client.ts";
import { CoWriter } from "../../support/co-writer.ts";
import { aBlog, refusal, startTestSite, until } from "../../support/test-site.ts";

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0)) await cleanUp();
});

/** A local server in place of all embed providers; records its requests. */
async function startProviders(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? "");
    answer(request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  cleanups.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  const { port } = server.address() as AddressInfo;
  const isLoopback = (address: string) => ["127.0.0.1", "::1"].includes(address);
  return {
    requests,
    options: { mayReach: isLoopback, replaceAddress: (url: string) => `http://localhost:${port}/${url}` },
  };
}
const json = (response: ServerResponse, body: unknown, type = "application/json; charset=utf-8") =>
  response.setHeader("content-type", type).end(JSON.stringify(body));

const video = "https://www.youtube.com/watch?v=aaaaaaaaaaa";
const mastodonPost = "https://owls.example/@ana/123456789012345678";
const gist = "https://gist.github.com/ana/0123456789abcdef0123";
const embed = (href: string) => ({ type: "embed", attrs: { href } });
const documentOf = (...content: unknown[]) => ({ type: "doc", content });

test("requests a card from each provider's API, and keeps only text of the response", async () => {
  const { requests, options } = await startProviders(({ url = "" }, response) => {
    if (url.includes("youtube.com/oembed"))
      json(response, { title: "Owls <b>at</b>\n night", author_name: "Ana", html: "<iframe src=x>" });
    else if (url.includes("vimeo.com/api")) json(response, { title: "A film", author_name: "Ben" });
    else if (url.includes("embed.bsky.app"))
      json(response, { author_name: "Eve", html: '<blockquote><p lang="en">Who &amp; why<br>now</p>— Eve' });
    else if (url.includes("api.github.com"))
      json(response, {
        description: "",
        owner: { login: "ana" },
        files: { a: { filename: "a.js", content: "let x" } },
      });
    else
      json(response, {
        visibility: "public",
        content: "<p>Hoo <script>x</script></p>",
        account: { display_name: "Ana 🦉", acct: "ana" },
      });
  });
  const cards = new EmbedCards(true, options);
  expect(await cards.fetchCard(video, "ana")).toEqual({
    title: "Owls <b>at</b> night",
    author: "Ana",
    text: "",
  });
  expect(await cards.fetchCard("https://vimeo.com/12345", "ana")).toEqual({
    title: "A film",
    author: "Ben",
    text: "",
  });
  expect(await cards.fetchCard("https://bsky.app/profile/eve.example/post/3kabc", "ana")).toEqual({
    title: "Eve",
    author: "",
    text: "Who & why now",
  });
  expect(await cards.fetchCard(gist, "ana")).toEqual({ title: "a.js", author: "ana", text: "let x" });
  expect(await cards.fetchCard(mastodonPost, "ana")).toEqual({
    title: "Ana 🦉",
    author: "@ana",
    text: "Hoo x",
  });
  expect(requests.map((url) => url.replace(/^\/(https:\/\/[^/?]+\/[^?]*).*/, "$1"))).toEqual([
    "https://www.youtube.com/oembed",
    "https://vimeo.com/api/oembed.json",
    "https://embed.bsky.app/oembed",
    "https://api.github.com/gists/0123456789abcdef0123",
    "https://owls.example/api/v1/statuses/123456789012345678",
  ]);
  // The result is cached.
  await cards.fetchCard(video, "ana");
  expect(requests).toHaveLength(5);
  expect(await cards.fetchCard("https://example.org/a", "ana")).toBeNull();
  expect(requests).toHaveLength(5);
  expect(await new EmbedCards(false, options).fetchCard(video, "ana")).toBeNull();
});

test.each<[string, (response: ServerResponse, request: IncomingMessage) => void]>([
  ["an answer that is too large", (response) => json(response, { title: "x".repeat(600_000) })],
  [
    "one that says it is",
    (response) =>
      response.writeHead(200, { "content-type": "application/json", "content-length": "9999999" }).write("{"),
  ],
  [
    "one that never ends",
    (response) => {
      response.setHeader("content-type", "application/json").write('{"title":"');
    },
  ],
  ["a page that says it is one", (response) => json(response, { title: "x" }, "text/html")],
  ["JSON that is none", (response) => response.setHeader("content-type", "application/json").end("<html>")],
  ["something else in JSON", (response) => json(response, [null, { title: { a: 1 } }])],
  ["a title that is no text", (response) => json(response, { title: { toString: 1 }, author_name: ["x"] })],
  ["what is gone", (response) => response.writeHead(404, { "content-type": "application/json" }).end("{}")],
  [
    "what leads elsewhere",
    (response, { headers }) => response.writeHead(302, { location: `http://${headers.host}/inside` }).end(),
  ],
])("%s is no card", async (_what, answer) => {
  const { requests, options } = await startProviders((request, response) => answer(response, request));
  expect(await new EmbedCards(true, options).fetchCard(video, "ana")).toBeNull();
  expect(requests).toHaveLength(1);
});

test("shows no card of a private post, and only the warning of a sensitive one", async () => {
  let post: object = {};
  const { options } = await startProviders((_request, response) => json(response, post));
  const account = { display_name: "Ana", acct: "ana" };
  post = { visibility: "private", content: "<p>x</p>", account };
  expect(await new EmbedCards(true, options).fetchCard(mastodonPost, "ana")).toBeNull();
  post = { visibility: "public", sensitive: true, spoiler_text: "Mice", content: "<p>x</p>", account };
  expect(await new EmbedCards(true, options).fetchCard(mastodonPost, "ana")).toMatchObject({ text: "Mice" });
});

test("never requests addresses of the local machine or network, by name or by number", async () => {
  const { requests, options } = await startProviders((_request, response) => json(response, { title: "x" }));
  const cards = new EmbedCards(true, { replaceAddress: options.replaceAddress });
  expect(await cards.fetchCard(video, "ana")).toBeNull();
  for (const host of ["127.0.0.1", "[::1]", "10.0.0.1", "169.254.169.254", "localhost", "0x7f.1"])
    expect(
      await new EmbedCards(true).fetchCard(`https://${host}/@ana/123456789012345678`, "ana"),
      host,
    ).toBeNull();
  expect(requests).toEqual([]);
});

test("fetches the cards of a saved text, over tRPC and REST, and shows a link where there is none", async () => {
  const { requests, options } = await startProviders(({ url = "" }, response) =>
    url.includes("bbbbbbbbbbb")
      ? response.writeHead(500).end()
      : json(response, { title: 'Owls "<b>"', author_name: "Ana" }),
  );
  await using testSite = await startTestSite({}, {}, options);
  const ana = await testSite.createAccount("Ana");
  const failingUrl = "https://youtu.be/bbbbbbbbbbb";
  const blog = aBlog({ document: documentOf(embed(video), embed(failingUrl)) });
  const { slug } = await ana.api.blogs.create.mutate(blog);
  const { html } = await testSite.browser().api.blogs.bySlug.query({ slug });
  const frame = "https://www.youtube-nocookie.com/embed/aaaaaaaaaaa?autoplay=1";
  expect(html).toContain(`data-frame="${frame}"`);
  expect(html).toContain(
    `<a href="${video}" rel="nofollow noopener ugc"><strong>Owls &quot;&lt;b&gt;&quot;</strong><small>Ana · YouTube</small></a>`,
  );
  expect(html).toContain(`<a href="${failingUrl}" rel="nofollow noopener ugc">${failingUrl}</a>`);
  expect(html).not.toMatch(/<(?:iframe|img|script)/);
  expect(requests).toHaveLength(2);
  // Neither known cards nor recent requests are fetched again.
  await ana.api.blogs.update.mutate({ ...blog, etag: 1, description: "Changed." });
  expect(requests).toHaveLength(2);

  const client = await ApiClient.of(testSite, ana);
  const content = JSON.stringify(`<figure class="embed" data-href="${mastodonPost}"></figure><p>x</p>`);
  const { body } = await client.call("POST", "/blogs", blogForm({ content }));
  expect(body).toMatchObject({ success: true });
  await until(async () => requests.length === 3);
  expect((await ana.api.blogs.embed.mutate({ href: video })).card).toEqual({
    title: 'Owls "<b>"',
    author: "Ana",
    text: "",
  });
  expect(requests).toHaveLength(3);
  expect(await refusal(ana.api.blogs.embed.mutate({ href: "https://example.org/a" }))).toMatchObject({
    code: "BAD_REQUEST",
  });
  expect(await refusal(testSite.browser().api.blogs.embed.mutate({ href: video }))).toMatchObject({
    code: "UNAUTHORIZED",
  });
});

test("refuses embeds of other sites, and fetches at most ten cards for a text", async () => {
  const { requests, options } = await startProviders((_request, response) => json(response, { title: "x" }));
  await using testSite = await startTestSite({}, {}, options);
  const ana = await testSite.createAccount("Ana");
  for (const href of ["https://example.org/", "javascript:alert(1)", "http://youtu.be/aaaaaaaaaaa", ""])
    expect(
      await refusal(ana.api.blogs.create.mutate(aBlog({ document: documentOf(embed(href)) }))),
    ).toMatchObject({ code: "BAD_REQUEST" });
  // Embeds of the site itself need no request.
  const ownEmbeds = Array.from({ length: 10 }, (_, index) =>
    embed(`${testSite.config.publicUrl}/blog/owls-${index}`),
  );
  const embeds = [
    ...ownEmbeds,
    ...Array.from({ length: 30 }, (_, index) => embed(`https://vimeo.com/${index + 1}`)),
  ];
  await ana.api.blogs.create.mutate(aBlog({ document: documentOf(...embeds) }));
  expect(requests).toHaveLength(10);
});

test("fetches the cards of further embeds at the next saves when the first ones fail", async () => {
  const isDead = (number: number) => number <= 15;
  const { requests, options } = await startProviders(({ url = "" }, response) =>
    isDead(Number(/vimeo\.com%2F(\d+)$/.exec(url)?.[1]))
      ? response.writeHead(404).end()
      : json(response, { title: "x" }),
  );
  await using testSite = await startTestSite({}, {}, options);
  const ana = await testSite.createAccount("Ana");
  const films = Array.from({ length: 25 }, (_, index) => embed(`https://vimeo.com/${index + 1}`));
  const blog = aBlog({ document: documentOf(...films) });
  const { slug } = await ana.api.blogs.create.mutate(blog);
  const cards = async () =>
    (await ana.api.blogs.bySlug.query({ slug })).html.match(/<strong>x<\/strong>/g)?.length ?? 0;
  const takeRequests = () => requests.splice(0).map((url) => Number(/(\d+)$/.exec(url)?.[1]));
  const numbers = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const save = async (etag: number) => {
    await ana.api.blogs.update.mutate({ ...blog, etag });
    return takeRequests().toSorted((a, b) => a - b);
  };
  expect(takeRequests()).toHaveLength(10);
  expect(await cards()).toBe(0);
  expect(await save(1)).toEqual(numbers(11, 20));
  expect(await cards()).toBe(5);
  expect(await save(2)).toEqual(numbers(21, 25));
  expect(await cards()).toBe(10);
  expect(await save(3)).toEqual([]);
});

test("requests failed cards again, the least recently requested first", async () => {
  const { options } = await startProviders((_request, response) => response.writeHead(404).end());
  const cards = new EmbedCards(true, options);
  const film = (number: number) => `https://vimeo.com/${number}`;
  const films = [film(1), film(2), film(3)];
  expect(cards.choose(films, 2)).toEqual([film(1), film(2)]);
  for (const number of [2, 1]) await cards.fetchCard(film(number), "ana");
  expect(cards.choose(films, 0)).toEqual([film(1), film(2)]);
  expect(cards.choose(films, 2)).toEqual([film(1), film(2), film(3)]);
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + 11 * 60_000);
  try {
    await until(() => cards.choose(films, 0).length === 0, "the end of the cached results");
    expect(cards.choose(films, 2)).toEqual([film(3), film(2)]);
  } finally {
    clock.mockRestore();
  }
});

test("limits card requests per account and hour, imports included, but not cached cards", async () => {
  const { requests, options } = await startProviders((_request, response) => json(response, { title: "x" }));
  const cards = new EmbedCards(true, { ...options, limits: new RateLimits(true) });
  const film = (number: number) => `https://vimeo.com/${number}`;
  for (let number = 1; number <= 120; number++) await cards.fetchCard(film(number), "ana");
  expect(await cards.fetchCard(film(121), "ana")).toBeNull();
  expect(await cards.fetchCard(film(1), "ana")).toMatchObject({ title: "x" });
  expect(requests).toHaveLength(120);
  expect(await cards.fetchCard(film(121), "ben")).toMatchObject({ title: "x" });
  await using testSite = await startTestSite();
  const { services } = testSite.app;
  expect(importingAs(services, "ana", { isLocal: false, fetch: true }).cards).toBe(services.cards);
});

test("limits the card requests of a publication", async () => {
  const { requests, options } = await startProviders((_request, response) => json(response, { title: "x" }));
  await using testSite = await startTestSite({ RATE_LIMIT: "on" }, {}, options);
  const ana = await testSite.createAccount("Ana");
  const draft = aBlog({ draft: true, document: documentOf({ type: "paragraph" }) });
  await ana.api.blogs.create.mutate(draft);
  for (let film = 1; film <= 119; film++)
    await ana.api.blogs.embed.mutate({ href: `https://vimeo.com/${film}` });
  const page = await CoWriter.open(() => ana.api, draft.id);
  const cards = [201, 202, 203].map((film) =>
    schema.nodes.embed.create(embed(`https://vimeo.com/${film}`).attrs),
  );
  page.edit((tr) => tr.insert(0, cards));
  await page.sync.push();
  const { slug } = await ana.api.blogs.publish.mutate({ id: draft.id, draft: false });
  const { html } = await ana.api.blogs.bySlug.query({ slug });
  expect(html).toContain("https://vimeo.com/203");
  expect(requests).toHaveLength(120);
  expect(html.match(/<strong>/g)).toHaveLength(1);
});
