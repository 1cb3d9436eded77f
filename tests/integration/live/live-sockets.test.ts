import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import { expect, test } from "vitest";
import { newId } from "../../../src/server/runtime/ids.ts";
import { limits } from "../../../src/shared/limits.ts";
import { readEventsStart } from "../../support/events-start.ts";
import { siteWith } from "../../support/site-with.ts";
import {
  aBlog,
  aComment,
  password,
  startTestSite,
  until,
  followBlog,
  type Browser,
  type TestSite,
} from "../../support/test-site.ts";

/** A WebSocket without a client library, as a script would open it. */
function openRawSocket(testSite: TestSite, headers: Record<string, string> = {}, query = "") {
  const socket = new WebSocket(`${testSite.url.replace("http", "ws")}/trpc${query}`, { headers });
  const messages: {
    id?: number;
    error?: { message: string; data: { code: string } };
    result?: { type: string };
  }[] = [];
  const end = { code: 0, status: 0 };
  socket.on(
    "message",
    (data: Buffer) =>
      void (
        data.toString().startsWith("P") ||
        messages.push(JSON.parse(data.toString()) as (typeof messages)[number])
      ),
  );
  socket.on("close", (code) => void (end.code = code));
  socket.on("unexpected-response", (_request, response) => void (end.status = response.statusCode ?? 0));
  socket.on("error", () => undefined);
  const open = () => until(() => socket.readyState === WebSocket.OPEN, "the socket's opening");
  const call = (method: string, path: string, input: unknown, id = 1) =>
    socket.send(JSON.stringify({ id, method, params: { path, input } }));
  return {
    socket,
    messages,
    end,
    open,
    call,
    refusal: () => until(() => end.status, "a refusal"),
    closeCode: () => until(() => end.code, "the socket's end"),
  };
}

const connectedClients = (testSite: TestSite) => testSite.app.server.websocketServer.clients.size;

test("opens a socket only for the site's own pages", async () => {
  const [testSite, eve] = await siteWith("Eve");
  const refusalStatus = async (headers: Record<string, string>, query?: string) =>
    openRawSocket(testSite, headers, query).refusal();
  expect(await refusalStatus({ origin: "https://evil.example", cookie: eve.cookie })).toBe(403);
  expect(await refusalStatus({ origin: "https://evil.example" })).toBe(403);
  expect(await refusalStatus({ origin: "null", cookie: eve.cookie })).toBe(403);
  // Without an origin it is no browser, and a cookie without one was copied.
  expect(await refusalStatus({ cookie: eve.cookie })).toBe(403);
  expect(await refusalStatus({ origin: testSite.url, "sec-fetch-site": "cross-site" })).toBe(403);
  expect(await refusalStatus({ origin: testSite.url }, "?connectionParams=1")).toBe(400);
  expect(await refusalStatus({ origin: testSite.url }, "?connection%50arams=1")).toBe(400);
  expect(connectedClients(testSite)).toBe(0);
  await openRawSocket(testSite, { origin: testSite.url, cookie: eve.cookie }).open();
  await openRawSocket(testSite).open();
  expect(connectedClients(testSite)).toBe(2);
});

test("refuses a mutation that another site's page sends with 403", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const body = JSON.stringify(aBlog());
  const post = (headers: Record<string, string>) =>
    fetch(`${testSite.url}/trpc/blogs.create`, {
      method: "POST",
      body,
      headers: { "content-type": "application/json", ...headers },
    });
  const foreignHeaders: Record<string, string>[] = [
    { origin: "https://evil.example", cookie: ana.cookie },
    { origin: "null", cookie: ana.cookie },
    { cookie: ana.cookie },
    { origin: testSite.url, cookie: ana.cookie, "sec-fetch-site": "cross-site" },
  ];
  for (const headers of foreignHeaders) {
    const answer = await post(headers);
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ message: "This request came from another site." });
  }
  expect((await ana.api.blogs.list.query({})).blogs).toEqual([]);
  expect((await post({ origin: testSite.url, cookie: ana.cookie })).status).toBe(200);
});

test("a socket takes subscriptions only, neither queries nor mutations", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const rawSocket = openRawSocket(testSite, { origin: testSite.url, cookie: ana.cookie });
  await rawSocket.open();
  rawSocket.call("mutation", "comments.create", aComment(blog), 1);
  rawSocket.call("mutation", "users.signOut", undefined, 2);
  rawSocket.call("query", "users.me", undefined, 3);
  rawSocket.call("query", "blogs.list", {}, 4);
  await until(() => rawSocket.messages.length === 4);
  expect(rawSocket.messages.map(({ error }) => error?.data.code)).toEqual(
    Array.from({ length: 4 }, () => "METHOD_NOT_SUPPORTED"),
  );
  expect(await ana.api.users.me.query()).toMatchObject({ id: ana.me.id });
  expect((await ana.api.comments.list.query({ blogId: blog.id })).total).toBe(0);
});

test("answers invalid messages without an internal error, and keeps serving others", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  const stream = followBlog(ana, id, undefined);
  const rawSocket = openRawSocket(testSite);
  await rawSocket.open();
  for (const nonsense of [
    "",
    "{",
    "[]",
    "null",
    "3",
    '"x"',
    "{}",
    '{"id":1}',
    '{"id":1,"method":"subscription"}',
    '{"id":1,"method":"subscription","params":{"path":"no.such"}}',
    "[".repeat(20_000),
  ])
    rawSocket.socket.send(nonsense);
  rawSocket.socket.send(Buffer.from([0, 1, 2, 255]));
  rawSocket.call("subscription", "live.follow", { topics: ["blog:not an id"] }, 7);
  rawSocket.call("subscription", "live.follow", { topics: [`blog:${id}`], since: "x".repeat(101) }, 8);
  await until(() => rawSocket.messages.some((message) => message.id === 8));
  for (const { error } of rawSocket.messages) expect(error?.data.code).not.toBe("INTERNAL_SERVER_ERROR");
  await stream.waitForStart();
  await ana.api.comments.create.mutate(aComment({ id }));
  await stream.waitFor("comment.created");
});

test("a message above the size limit closes its socket, and no others", async () => {
  await using testSite = await startTestSite();
  const [long, other] = [openRawSocket(testSite), openRawSocket(testSite)];
  await Promise.all([long.open(), other.open()]);
  long.socket.send("x".repeat(limits.live.message + 1));
  expect(await long.closeCode()).toBe(1009);
  other.call("query", "users.me", undefined);
  await until(() => other.messages.length === 1);
});

test("closes a socket that sends without pause, and no others", async () => {
  await using testSite = await startTestSite();
  const [noisy, other] = [openRawSocket(testSite), openRawSocket(testSite)];
  await Promise.all([noisy.open(), other.open()]);
  for (let index = 0; index < 1_000; index++) noisy.socket.send("PING");
  expect([1008, 1006]).toContain(await noisy.closeCode());
  await until(() => connectedClients(testSite) === 1);
  other.call("query", "users.me", undefined);
  await until(() => other.messages.length === 1);
});

const followMessage = (id: number, topics: string[]) => ({
  id,
  method: "subscription",
  params: { path: "live.follow", input: { topics } },
});

test("does not read a batch of too many calls, and closes its socket", async () => {
  await using testSite = await startTestSite();
  const batch = Array.from({ length: 630 }, (_, id) => followMessage(id, ["feed"]));
  const sockets = Array.from({ length: 3 }, () => openRawSocket(testSite));
  for (const { socket, open } of sockets) {
    await open();
    for (let count = 0; count < 50; count++) socket.send(JSON.stringify(batch));
  }
  for (const rawSocket of sockets) expect([1008, 1006]).toContain(await rawSocket.closeCode());
  expect(sockets.flatMap(({ messages }) => messages)).toEqual([]);
  // The official client's own batches are read.
  const rawSocket = openRawSocket(testSite);
  await rawSocket.open();
  rawSocket.socket.send(JSON.stringify([{ id: 1, method: "subscription.stop" }, followMessage(2, ["feed"])]));
  await until(() => rawSocket.messages.some(({ id, result }) => id === 2 && result?.type === "started"));
});

test("closes a socket that sends more at once than pages do", async () => {
  await using testSite = await startTestSite();
  const topics = Array.from({ length: limits.live.topics }, () => `card:${newId()}`);
  const messageOf = (id: number) => JSON.stringify(followMessage(id, topics));
  const rawSocket = openRawSocket(testSite);
  await rawSocket.open();
  for (
    let bytes = 0, id = 0;
    bytes <= limits.live.clientMessages.socket.bytes;
    bytes += messageOf(id++).length
  )
    rawSocket.socket.send(messageOf(id));
  expect([1008, 1006]).toContain(await rawSocket.closeCode());
});

test("limits the messages of all sockets of an address together, without affecting another address", async () => {
  await using testSite = await startTestSite({ RATE_LIMIT: "on", TRUST_PROXY: "on" });
  const openFrom = (address: string) => openRawSocket(testSite, { "x-forwarded-for": address });
  const { address, socket } = limits.live.clientMessages;
  const callsEach = socket.calls / 2;
  const crowd = Array.from({ length: address.calls / callsEach + 1 }, () => openFrom("203.0.113.9"));
  const other = openFrom("203.0.113.10");
  for (const { open } of [...crowd, other]) await open();
  for (const rawSocket of crowd)
    for (let count = 0; count < callsEach; count++) rawSocket.socket.send("PONG");
  const closedSockets = () => crowd.filter(({ end }) => end.code > 0);
  await until(() => closedSockets().length > 0, "the end of one that says too much");
  for (const { end } of closedSockets()) expect([1008, 1006]).toContain(end.code);
  other.call("query", "users.me", undefined);
  await until(() => other.messages.length === 1);
});

test("counts many topics as several calls, over a socket and over server-sent events", async () => {
  await using testSite = await startTestSite({ RATE_LIMIT: "on", TRUST_PROXY: "on" });
  const topics = Array.from({ length: limits.live.topics }, (_, at) => `address:no-blog-${at}`);
  const points = 1 + limits.live.topics / limits.live.topicsAPoint;
  const headers = { "x-forwarded-for": "203.0.113.9" };
  // The remaining points are enough for one of three.
  await testSite.app.services.limits.take("read", "203.0.113.9", 3_000 - points);
  const input = encodeURIComponent(JSON.stringify({ topics }));
  const address = `${testSite.url}/trpc/live.follow?input=${input}`;
  expect(await readEventsStart(address, { headers })).toContain("checkpoint");
  expect(await readEventsStart(address, { headers })).toContain("TOO_MANY_REQUESTS");
  const rawSocket = openRawSocket(testSite, headers);
  await rawSocket.open();
  rawSocket.call("subscription", "live.follow", { topics });
  await until(() => rawSocket.messages.length === 1);
  expect(rawSocket.messages[0]?.error?.data.code).toBe("TOO_MANY_REQUESTS");
});

test("a socket has one stream, however often one is requested", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const rawSocket = openRawSocket(testSite);
  await rawSocket.open();
  const follow = (id: number) => followMessage(id, [`blog:${blog.id}`]);
  const messagesOf = (type: string) => rawSocket.messages.filter(({ result }) => result?.type === type);
  const comments = () =>
    messagesOf("data").filter((message) => JSON.stringify(message).includes("comment.created"));
  // Each replaces the one before.
  for (let id = 0; id < 100; id++) rawSocket.socket.send(JSON.stringify(follow(id)));
  await until(
    () => messagesOf("started").length === 100 && messagesOf("stopped").length === 99,
    "one stream's being left",
  );
  await ana.api.comments.create.mutate(aComment(blog));
  await until(() => comments().length > 0, "the comment");
  // A stream that ended makes room for another.
  rawSocket.socket.send(JSON.stringify({ id: 99, method: "subscription.stop" }));
  await until(() => messagesOf("stopped").length === 100, "the last one's end");
  rawSocket.socket.send(JSON.stringify(follow(999)));
  await until(() => messagesOf("data").some(({ id }) => id === 999));
  await ana.api.comments.create.mutate(aComment(blog));
  await until(() => comments().length > 1, "the second comment");
  expect(comments().map(({ id }) => id)).toEqual([99, 999]);
});

test("limits how often streams are opened, over sockets and HTTP, whatever address is claimed", async () => {
  await using testSite = await startTestSite({ RATE_LIMIT: "on", TRUST_PROXY: "on" });
  const ana = await testSite.createAccount("Ana");
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  // The proxy appends the sender's address to what the header contained.
  const forwardedFor = (address: string) => ({ "x-forwarded-for": `${address}, 203.0.113.9` });
  for (let count = 0; count < 3_000; count++) await testSite.app.services.limits.take("read", "203.0.113.9");
  const rawSocket = openRawSocket(testSite, forwardedFor("198.51.100.1"));
  await rawSocket.open();
  rawSocket.call("subscription", "live.follow", { topics: [`blog:${id}`] });
  await until(() => rawSocket.messages.length === 1);
  expect(rawSocket.messages[0]?.error).toMatchObject({
    message: expect.stringContaining("Too many attempts"),
    data: { code: "TOO_MANY_REQUESTS" },
  });
  const stream = (headers: Record<string, string>) =>
    fetch(
      `${testSite.url}/trpc/live.follow?input=${encodeURIComponent(JSON.stringify({ topics: [`blog:${id}`] }))}`,
      {
        headers: { accept: "text/event-stream", ...headers },
      },
    );
  expect(await (await stream(forwardedFor("198.51.100.2"))).text()).toContain("Too many attempts");
  const other = openRawSocket(testSite, { "x-forwarded-for": "203.0.113.10" });
  await other.open();
  other.call("subscription", "live.follow", { topics: [`blog:${id}`] });
  await until(() => other.messages.length > 0);
  expect(other.messages[0]?.result).toMatchObject({ type: "started" });
});

test("cuts a reader who does not read at a megabyte; others get every event, and that one loads its page again", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog());
  const { cursor } = await ana.api.blogs.bySlug.query({ slug });
  const other = followBlog(testSite.browser(), id, cursor);
  const slowBrowser = testSite.browser();
  const slow = followBlog(slowBrowser, id, cursor);
  await Promise.all([other.waitForStart(), slow.waitForStart()]);
  const [slowSocket] = slowBrowser.sockets;
  const connection = (slowSocket as unknown as { _socket: { pause: () => void; resume: () => void } })
    ._socket;
  connection.pause();
  const before = connectedClients(testSite);
  let commentCount = 0;
  const text = "🦉".repeat(limits.comment.max);
  const post = async (count: number) => {
    await Promise.all(
      Array.from({ length: count }, () => ana.api.comments.create.mutate(aComment({ id }, { text }))),
    );
    commentCount += count;
  };
  // 20 kB each: the kernel's buffers between the two fill first, some megabytes.
  while (connectedClients(testSite) === before && commentCount < 2_000) await post(10);
  expect(connectedClients(testSite)).toBe(before - 1);
  // Together more than the megabyte up to which missed events are sent.
  for (let round = 0; round < 6; round++) await post(10);
  await other.waitFor("comment.created", commentCount);
  connection.resume();
  await slow.waitFor("reset");
  expect(new Set(slow.eventFrames().map((frame) => frame.id)).size).toBe(slow.eventFrames().length);
  const received = slow.events("comment.created").map(({ comment }) => comment.id);
  const all = other.events("comment.created").map(({ comment }) => comment.id);
  expect(all).toHaveLength(commentCount);
  expect(received).toEqual(all.slice(0, received.length));
});

test("closes the sockets of an ended session with 4401, and no others", async () => {
  const [testSite, ana, eve] = await siteWith("Ana", "Eve");
  const laptop = testSite.browser();
  await laptop.api.users.signIn.mutate({ email: ana.email, password });
  const sockets = {
    phone: openRawSocket(testSite, { origin: testSite.url, cookie: ana.cookie }),
    phoneToo: openRawSocket(testSite, { origin: testSite.url, cookie: ana.cookie }),
    laptop: openRawSocket(testSite, { origin: testSite.url, cookie: laptop.cookie }),
    eve: openRawSocket(testSite, { origin: testSite.url, cookie: eve.cookie }),
    guest: openRawSocket(testSite),
  };
  await Promise.all(Object.values(sockets).map((socket) => socket.open()));
  await until(() => connectedClients(testSite) === 5);
  await ana.api.users.signOut.mutate();
  expect(await Promise.all([sockets.phone.closeCode(), sockets.phoneToo.closeCode()])).toEqual([4401, 4401]);
  await until(() => connectedClients(testSite) === 3);
  sockets.laptop.call("query", "users.me", undefined);
  await until(() => sockets.laptop.messages.length === 1);
  expect([sockets.laptop, sockets.eve, sockets.guest].map(({ end }) => end.code)).toEqual([0, 0, 0]);
});

test("closes the sockets of a session that ends while they open", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const { cookie } = ana;
  for (let round = 0; round < 15; round++) {
    const browser = testSite.browser();
    await browser.api.users.signIn.mutate({ email: ana.email, password });
    const sockets = Array.from({ length: 6 }, () =>
      openRawSocket(testSite, { origin: testSite.url, cookie: browser.cookie }),
    );
    for (const { socket } of sockets)
      socket.on("open", () =>
        socket.send(
          JSON.stringify({
            id: 1,
            method: "subscription",
            params: { path: "live.follow", input: { topics: ["me"] } },
          }),
        ),
      );
    await sleep(Math.random() * 6);
    await browser.api.users.signOut.mutate();
    // Each is closed, or opened later as that of a guest, who may not subscribe to this.
    await Promise.all(
      sockets.map(({ end, messages }) =>
        until(() => end.code === 4401 || messages.some(({ error }) => error?.data.code === "UNAUTHORIZED")),
      ),
    );
    for (const { socket } of sockets) socket.terminate();
  }
  expect(ana.cookie).toBe(cookie);
});

test("a stream over server-sent events resumes after the last event, and ends with its session", async () => {
  const [testSite, ana, eve] = await siteWith("Ana", "Eve");
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  const openStream = async (browser: Browser, procedure: string, input: object) => {
    const answer = await browser.fetch(
      `/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`,
      { headers: { accept: "text/event-stream" } },
    );
    const received = { text: "", ended: false };
    void (async () => {
      try {
        for await (const part of answer.body ?? [])
          received.text += Buffer.from(part as Uint8Array).toString();
      } catch {
        // Cut in the middle, which is an end, too.
      }
      received.ended = true;
    })();
    await until(() => received.text.includes('"checkpoint"'), "the stream's start");
    return received;
  };
  const blogStream = await openStream(eve, "live.follow", { topics: [`blog:${id}`] });
  const ownStream = await openStream(eve, "live.follow", { topics: ["me"] });
  const anaStream = await openStream(ana, "live.follow", { topics: ["me"] });
  await ana.api.comments.create.mutate(aComment({ id }, { text: "one" }));
  await eve.api.social.likeBlog.mutate({ blogId: id, liked: true });
  await until(() => blogStream.text.includes('"one"') && ownStream.text.includes("viewer.like"));
  const lastEventId = [...blogStream.text.matchAll(/id: (\S+)/g)].at(-1)?.[1];
  await ana.api.comments.create.mutate(aComment({ id }, { text: "two" }));
  await eve.api.users.signOut.mutate();
  await until(() => blogStream.ended && ownStream.ended, "the end of what the session had open");

  const resumedStream = await openStream(testSite.browser(), "live.follow", {
    topics: [`blog:${id}`],
    lastEventId,
  });
  await until(() => resumedStream.text.includes('"two"'));
  expect(resumedStream.text).not.toContain('"one"');
  expect(anaStream.ended).toBe(false);
  await ana.api.users.signOut.mutate();
  await until(() => anaStream.ended);
});

test("the site closes within ten seconds with any clients connected", async () => {
  const testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  const ownStream = followBlog(ana, id, undefined);
  await ownStream.waitForStart();
  const polite = Array.from({ length: 20 }, () => openRawSocket(testSite));
  const dead = Array.from({ length: 5 }, () => openRawSocket(testSite));
  await Promise.all([...polite, ...dead].map((socket) => socket.open()));
  for (const { socket } of dead) socket.pause();
  // Where WebSockets are blocked, the same streams run over server-sent events.
  const stream = await fetch(
    `${testSite.url}/trpc/live.follow?input=${encodeURIComponent(JSON.stringify({ topics: [`blog:${id}`] }))}`,
    { headers: { accept: "text/event-stream" } },
  );
  expect(stream.status).toBe(200);
  const start = performance.now();
  await testSite.app.close();
  expect(performance.now() - start).toBeLessThan(10_000);
  for (const { end } of polite) expect(end.code).toBe(1012);
  await stream.body?.cancel().catch(() => undefined);
  await testSite[Symbol.asyncDispose]();
});

test("half a request does not keep the site from closing", async () => {
  const testSite = await startTestSite();
  const partialRequest = connect(Number(new URL(testSite.url).port), "127.0.0.1");
  partialRequest.on("error", () => undefined);
  partialRequest.write(
    "POST /trpc/users.signIn HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{",
  );
  const handshake = connect(Number(new URL(testSite.url).port), "127.0.0.1");
  handshake.on("error", () => undefined);
  handshake.write("GET /trpc HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n");
  await until(() => partialRequest.readyState === "open" && handshake.readyState === "open");
  await testSite.browser().api.users.site.query();
  await testSite.app.close();
  await until(() => partialRequest.destroyed && handshake.destroyed);
  await testSite[Symbol.asyncDispose]();
});

test("closed sockets and streams leave no listeners behind", async () => {
  const [testSite, ana] = await siteWith("Ana");
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  const before = testSite.listeners;
  for (let round = 0; round < 5; round++) {
    const browsers = Array.from({ length: 20 }, () => testSite.browser(ana.cookie));
    const streams = browsers.map((browser) => followBlog(browser, id, undefined));
    await Promise.all(streams.map((stream) => stream.waitForStart()));
    browsers.forEach((browser, index) => (index % 2 === 0 ? browser.cut() : streams[index]?.stop()));
    await Promise.all(browsers.map((browser) => browser.close()));
  }
  await until(
    () => testSite.listeners === before && connectedClients(testSite) === 0,
    "the leaving of everybody",
  );
});
