import { once } from "node:events";
import { connect } from "node:net";
import { WebSocket } from "ws";
import { expect, test, vi } from "vitest";
import { encoder } from "../../../src/server/live/shared-messages.ts";
import { limits } from "../../../src/shared/limits.ts";
import { siteWith } from "../../support/site-with.ts";
import { aBlog, aComment, startTestSite, until, followBlog, type TestSite } from "../../support/test-site.ts";

/* Many connections from one address, as from an office or from a script. */

const { connections } = limits.live;

/** Opens a socket as the proxy forwards it from an address. `status` is 101 or that of the refusal, -1 without Retry-After. */
async function openSocketFrom(testSite: TestSite, address: string, headers: Record<string, string> = {}) {
  const socket = new WebSocket(`${testSite.url.replace("http", "ws")}/trpc`, {
    headers: { "x-forwarded-for": address, origin: testSite.url, ...headers },
    perMessageDeflate: false,
  });
  socket.on("error", () => undefined);
  const status = await new Promise<number>((resolve) => {
    socket.once("open", () => resolve(101));
    socket.once("unexpected-response", (_request, response) => {
      resolve(response.headers["retry-after"] === undefined ? -1 : (response.statusCode ?? 0));
      response.destroy();
    });
  });
  return { socket, status };
}

function openStreamFrom(
  testSite: TestSite,
  address: string,
  blogId: string,
  cookie?: string,
  signal?: AbortSignal,
) {
  const input = encodeURIComponent(JSON.stringify({ topics: [`blog:${blogId}`] }));
  return fetch(`${testSite.url}/trpc/live.follow?input=${input}`, {
    signal: signal ?? null,
    headers: { accept: "text/event-stream", "x-forwarded-for": address, ...(cookie ? { cookie } : {}) },
  });
}

/** Returns the text of a stream that is refused in its first message and ended. */
const refusalText = (stream: Response) => stream.text();

const subscribe = (socket: WebSocket, blogIds: string[]) =>
  socket.send(
    JSON.stringify({
      id: 1,
      method: "subscription",
      params: { path: "live.follow", input: { topics: blogIds.map((id) => `blog:${id}`) } },
    }),
  );

test(
  "limits the sockets of an address, while others connect and a comment stays fast",
  { tags: ["more"] },
  async () => {
    await using testSite = await startTestSite({ TRUST_PROXY: "on" });
    const ana = await testSite.createAccount("Ana");
    const blogs = await Promise.all(Array.from({ length: 5 }, () => ana.api.blogs.create.mutate(aBlog())));
    const ids = blogs.map(({ id }) => id);
    const [first = ""] = ids;
    let commentsReceived = 0;
    let streamsStarted = 0;
    const sockets: WebSocket[] = [];
    // All addresses of an IPv6 network count as one household.
    const addressAt = (index: number) => `2001:db8:0:1::${(index + 1).toString(16)}`;
    while (sockets.length < connections.address) {
      const batch = await Promise.all(
        Array.from({ length: 50 }, (_, index) => openSocketFrom(testSite, addressAt(sockets.length + index))),
      );
      for (const { socket, status } of batch) {
        expect(status).toBe(101);
        socket.on("message", (data: Buffer) => {
          const message = data.toString();
          if (message.includes("comment.created")) commentsReceived++;
          else if (message.includes('"checkpoint"')) streamsStarted++;
        });
        sockets.push(socket);
      }
    }
    expect((await openSocketFrom(testSite, addressAt(5_000))).status).toBe(429);
    expect(await refusalText(await openStreamFrom(testSite, addressAt(5_001), first))).toContain(
      "TOO_MANY_REQUESTS",
    );

    for (const socket of sockets) subscribe(socket, ids);
    await until(() => streamsStarted === connections.address, "the beginning of every stream");

    // A page at another address connects, listens and gets the event.
    const neighbour = await openSocketFrom(testSite, "2001:db8:0:2::1");
    expect(neighbour.status).toBe(101);
    const other = followBlog(testSite.browser(), first, undefined);
    await other.waitForStart();
    const before = process.threadCpuUsage();
    await ana.api.comments.create.mutate(aComment({ id: first }));
    await other.waitFor("comment.created");
    // The processor time of the server and of its thousand listeners, all in this process, without that of others.
    await until(() => commentsReceived === connections.address, "the whole crowd");
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(1_500);

    // A closed connection makes room.
    sockets[0]?.terminate();
    await until(
      async () => (await openSocketFrom(testSite, addressAt(5_002))).status === 101,
      "room for another",
    );
    for (const socket of sockets) socket.terminate();
  },
);

test("limits sockets and streams of an account together, and a refused page reconnects once there is room", async () => {
  await using testSite = await startTestSite({ TRUST_PROXY: "on" });
  const [ana, eve] = [await testSite.createAccount("Ana"), await testSite.createAccount("Eve")];
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  const controller = new AbortController();
  const sockets: WebSocket[] = [];
  for (let index = 0; index < connections.account - 1; index++) {
    const { socket, status } = await openSocketFrom(testSite, `198.51.100.${index}`, { cookie: eve.cookie });
    expect(status).toBe(101);
    sockets.push(socket);
  }
  await openStreamFrom(testSite, "198.51.100.200", id, eve.cookie, controller.signal);
  expect((await openSocketFrom(testSite, "198.51.100.201", { cookie: eve.cookie })).status).toBe(429);
  expect(await refusalText(await openStreamFrom(testSite, "198.51.100.202", id, eve.cookie))).toContain(
    "TOO_MANY",
  );
  // An ended session belongs to no account, and Ana is not Eve.
  expect((await openSocketFrom(testSite, "198.51.100.203", { cookie: "session=nothing" })).status).toBe(101);
  expect((await openSocketFrom(testSite, "198.51.100.204", { cookie: ana.cookie })).status).toBe(101);

  const page = followBlog(testSite.browser(eve.cookie), id, undefined);
  await ana.api.comments.create.mutate(aComment({ id }));
  expect(page.state.started).toBe(0);
  controller.abort();
  await page.waitForStart();
  await ana.api.comments.create.mutate(aComment({ id }));
  await page.waitFor("comment.created");
  for (const socket of sockets) socket.terminate();
});

test("thirty tabs of one person receive an event after each of them changed pages", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  const tabs = await Promise.all(
    Array.from({ length: 30 }, async () => {
      const browser = testSite.browser(ana.cookie);
      const previousPage = followBlog(browser, id, undefined);
      previousPage.stop();
      const page = followBlog(browser, id);
      await page.waitForStart();
      return page;
    }),
  );
  await ana.api.comments.create.mutate(aComment({ id }));
  await Promise.all(tabs.map((page) => page.waitFor("comment.created")));
  expect(tabs.filter(({ state }) => state.ended || state.error)).toEqual([]);
});

test.each(["refused for its origin", "half a handshake", "gone at once"])(
  "stops counting a socket that is %s",
  async (kind) => {
    await using testSite = await startTestSite();
    const headers = {
      connection: "upgrade",
      upgrade: "websocket",
      ...(kind === "refused for its origin" ? { origin: "https://evil.example" } : { origin: testSite.url }),
    };
    const { port } = new URL(testSite.url);
    for (let round = 0; round < 20; round++) {
      const socket = connect(Number(port), "127.0.0.1").on("error", () => undefined);
      await once(socket, "connect");
      const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(`GET /trpc HTTP/1.1\r\nhost: x\r\n${head.join("")}\r\n`);
      if (kind !== "gone at once") socket.resume();
      else socket.destroy();
      await once(socket, "close");
    }
    await until(() => testSite.app.sockets.limits.count === 0, "nobody's being counted");
  },
);

test("writes an event to a crowd without waking its streams, whichever topic of a blog they follow", async () => {
  await using testSite = await startTestSite({ TRUST_PROXY: "on" });
  const ana = await testSite.createAccount("Ana");
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  const sockets: WebSocket[] = [];
  const kinds: string[] = [];
  let started = 0;
  for (const topic of [`blog:${id}`, `card:${id}`, `card:${id}`, `blog:${id}`]) {
    const { socket } = await openSocketFrom(testSite, "203.0.113.7");
    sockets.push(socket);
    socket.on("message", (data: Buffer) => {
      const message = JSON.parse(data.toString()) as {
        result?: { data?: { data?: { event: { kind: string } } } };
      };
      const kind = message.result?.data?.data?.event.kind;
      if (kind === "checkpoint") started++;
      else if (kind) kinds.push(kind);
    });
    const params = { path: "live.follow", input: { topics: [topic] } };
    socket.send(JSON.stringify({ id: sockets.length, method: "subscription", params }));
  }
  await until(() => started === sockets.length, "all streams");
  // tRPC encodes the messages of a stream that is awake.
  const encode = vi.spyOn(encoder, "encode");
  await ana.api.comments.create.mutate(aComment({ id }, { text: "Who hears it?" }));
  await until(() => kinds.length >= sockets.length, "everybody to hear of it");
  expect(kinds.toSorted()).toEqual(["blog.counted", "blog.counted", "comment.created", "comment.created"]);
  expect(encode).not.toHaveBeenCalled();
  encode.mockRestore();
  for (const socket of sockets) socket.terminate();
});
