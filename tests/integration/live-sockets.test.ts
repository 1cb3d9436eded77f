import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import { expect, test } from "vitest";
import { newId } from "../../src/server/ids.ts";
import { limits } from "../../src/shared/limits.ts";
import {
  aBlog,
  aComment,
  password,
  startTown,
  until,
  watch,
  type Browser,
  type Town,
} from "../support/town.ts";

/** A bare socket, as somebody with a script would open it. */
function bareSocket(town: Town, headers: Record<string, string> = {}, query = "") {
  const socket = new WebSocket(`${town.url.replace("http", "ws")}/trpc${query}`, { headers });
  const said: {
    id?: number;
    error?: { message: string; data: { code: string } };
    result?: { type: string };
  }[] = [];
  const end = { code: 0, refused: 0 };
  socket.on(
    "message",
    (data: Buffer) =>
      void (
        data.toString().startsWith("P") || said.push(JSON.parse(data.toString()) as (typeof said)[number])
      ),
  );
  socket.on("close", (code) => void (end.code = code));
  socket.on("unexpected-response", (_request, response) => void (end.refused = response.statusCode ?? 0));
  socket.on("error", () => undefined);
  const open = () => until(() => socket.readyState === WebSocket.OPEN, "the socket's opening");
  const call = (method: string, path: string, input: unknown, id = 1) =>
    socket.send(JSON.stringify({ id, method, params: { path, input } }));
  return {
    socket,
    said,
    end,
    open,
    call,
    refused: () => until(() => end.refused, "a refusal"),
    closed: () => until(() => end.code, "the socket's end"),
  };
}

const clients = (town: Town) => town.app.server.websocketServer.clients.size;

test("a socket is opened for the site's own pages alone", async () => {
  await using town = await startTown();
  const eve = await town.resident("Eve");
  const refused = async (headers: Record<string, string>, query?: string) =>
    bareSocket(town, headers, query).refused();
  expect(await refused({ origin: "https://evil.example", cookie: eve.cookie })).toBe(403);
  expect(await refused({ origin: "https://evil.example" })).toBe(403);
  expect(await refused({ origin: "null", cookie: eve.cookie })).toBe(403);
  // No origin is no browser; a cookie without one is somebody's copy of it.
  expect(await refused({ cookie: eve.cookie })).toBe(403);
  expect(await refused({ origin: town.url, "sec-fetch-site": "cross-site" })).toBe(403);
  expect(await refused({ origin: town.url }, "?connectionParams=1")).toBe(400);
  expect(await refused({ origin: town.url }, "?connection%50arams=1")).toBe(400);
  expect(clients(town)).toBe(0);
  await bareSocket(town, { origin: town.url, cookie: eve.cookie }).open();
  await bareSocket(town).open();
  expect(clients(town)).toBe(2);
});

test("a change that another site's page asks for is refused, whoever is signed in", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const body = JSON.stringify(aBlog());
  const ask = (headers: Record<string, string>) =>
    fetch(`${town.url}/trpc/blogs.create`, {
      method: "POST",
      body,
      headers: { "content-type": "application/json", ...headers },
    });
  const foreign: Record<string, string>[] = [
    { origin: "https://evil.example", cookie: ana.cookie },
    { origin: "null", cookie: ana.cookie },
    { cookie: ana.cookie },
    { origin: town.url, cookie: ana.cookie, "sec-fetch-site": "cross-site" },
  ];
  for (const headers of foreign) {
    const answer = await ask(headers);
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ message: "This request came from another site." });
  }
  expect((await ana.api.blogs.list.query({})).blogs).toEqual([]);
  expect((await ask({ origin: town.url, cookie: ana.cookie })).status).toBe(200);
});

test("a socket listens and does nothing else", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const bare = bareSocket(town, { origin: town.url, cookie: ana.cookie });
  await bare.open();
  bare.call("mutation", "comments.create", aComment(blog), 1);
  bare.call("mutation", "users.signOut", undefined, 2);
  bare.call("query", "users.me", undefined, 3);
  bare.call("query", "blogs.list", {}, 4);
  await until(() => bare.said.length === 4);
  expect(bare.said.map(({ error }) => error?.data.code)).toEqual(
    Array.from({ length: 4 }, () => "METHOD_NOT_SUPPORTED"),
  );
  expect(await ana.api.users.me.query()).toMatchObject({ id: ana.me.id });
  expect((await ana.api.comments.list.query({ blogId: blog.id })).total).toBe(0);
});

test("nonsense on a socket is answered as such and harms nobody", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  const heard = watch(ana, id, undefined);
  const bare = bareSocket(town);
  await bare.open();
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
    bare.socket.send(nonsense);
  bare.socket.send(Buffer.from([0, 1, 2, 255]));
  bare.call("subscription", "live.follow", { topics: ["blog:not an id"] }, 7);
  bare.call("subscription", "live.follow", { topics: [`blog:${id}`], since: "x".repeat(101) }, 8);
  await until(() => bare.said.some((message) => message.id === 8));
  for (const { error } of bare.said) expect(error?.data.code).not.toBe("INTERNAL_SERVER_ERROR");
  await heard.live();
  await ana.api.comments.create.mutate(aComment({ id }));
  await heard.heard("comment.created");
});

test("a message that is too long ends the socket, and the others go on", async () => {
  await using town = await startTown();
  const [long, other] = [bareSocket(town), bareSocket(town)];
  await Promise.all([long.open(), other.open()]);
  long.socket.send("x".repeat(limits.live.message + 1));
  expect(await long.closed()).toBe(1009);
  other.call("query", "users.me", undefined);
  await until(() => other.said.length === 1);
});

test("somebody who sends without pause is cut off, and the others go on", async () => {
  await using town = await startTown();
  const [noisy, other] = [bareSocket(town), bareSocket(town)];
  await Promise.all([noisy.open(), other.open()]);
  for (let index = 0; index < 1_000; index++) noisy.socket.send("PING");
  expect([1008, 1006]).toContain(await noisy.closed());
  await until(() => clients(town) === 1);
  other.call("query", "users.me", undefined);
  await until(() => other.said.length === 1);
});

const followAlone = (id: number, topics: string[]) => ({
  id,
  method: "subscription",
  params: { path: "live.follow", input: { topics } },
});

test("a message with the calls of many is not read, and ends its socket", async () => {
  await using town = await startTown();
  const flood = Array.from({ length: 630 }, (_, id) => followAlone(id, ["feed"]));
  const sockets = Array.from({ length: 3 }, () => bareSocket(town));
  for (const { socket, open } of sockets) {
    await open();
    for (let count = 0; count < 50; count++) socket.send(JSON.stringify(flood));
  }
  for (const bare of sockets) expect([1008, 1006]).toContain(await bare.closed());
  expect(sockets.flatMap(({ said }) => said)).toEqual([]);
  // What the official client puts together is heard.
  const few = bareSocket(town);
  await few.open();
  few.socket.send(JSON.stringify([{ id: 1, method: "subscription.stop" }, followAlone(2, ["feed"])]));
  await until(() => few.said.some(({ id, result }) => id === 2 && result?.type === "started"));
});

test("a socket that says more at once than pages do is ended", async () => {
  await using town = await startTown();
  const topics = Array.from({ length: limits.live.topics }, () => `card:${newId()}`);
  const long = (id: number) => JSON.stringify(followAlone(id, topics));
  const bare = bareSocket(town);
  await bare.open();
  for (let said = 0, id = 0; said <= limits.live.heard.socket.bytes; said += long(id++).length)
    bare.socket.send(long(id));
  expect([1008, 1006]).toContain(await bare.closed());
});

test("the sockets of one address together say no more than an address may; another address goes on", async () => {
  await using town = await startTown({ RATE_LIMIT: "on", TRUST_PROXY: "on" });
  const from = (address: string) => bareSocket(town, { "x-forwarded-for": address });
  const { address, socket } = limits.live.heard;
  const each = socket.calls / 2;
  const crowd = Array.from({ length: address.calls / each + 1 }, () => from("203.0.113.9"));
  const other = from("203.0.113.10");
  for (const { open } of [...crowd, other]) await open();
  for (const bare of crowd) for (let count = 0; count < each; count++) bare.socket.send("PONG");
  const ended = () => crowd.filter(({ end }) => end.code > 0);
  await until(() => ended().length > 0, "the end of one that says too much");
  for (const { end } of ended()) expect([1008, 1006]).toContain(end.code);
  other.call("query", "users.me", undefined);
  await until(() => other.said.length === 1);
});

test("many topics cost as much as several calls, over a socket and in pieces", async () => {
  await using town = await startTown({ RATE_LIMIT: "on", TRUST_PROXY: "on" });
  const topics = Array.from({ length: limits.live.topics }, (_, at) => `address:no-blog-${at}`);
  const points = 1 + limits.live.topics / limits.live.topicsAPoint;
  const from = { "x-forwarded-for": "203.0.113.9" };
  // What is left is enough for one of three.
  await town.app.parts.limits.take("read", "203.0.113.9", 3_000 - points);
  const input = encodeURIComponent(JSON.stringify({ topics }));
  const ask = () => fetch(`${town.url}/trpc/live.since?input=${input}`, { headers: from });
  expect((await ask()).status).toBe(200);
  expect((await ask()).status).toBe(429);
  const bare = bareSocket(town, from);
  await bare.open();
  bare.call("subscription", "live.follow", { topics });
  await until(() => bare.said.length === 1);
  expect(bare.said[0]?.error?.data.code).toBe("TOO_MANY_REQUESTS");
});

test("a socket has one stream, however it is asked for", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const blog = await ana.api.blogs.create.mutate(aBlog());
  const bare = bareSocket(town);
  await bare.open();
  const ask = (id: number) => followAlone(id, [`blog:${blog.id}`]);
  const counted = (type: string) => bare.said.filter(({ result }) => result?.type === type);
  const comments = () => counted("data").filter((said) => JSON.stringify(said).includes("comment.created"));
  // Over and over: each takes the place of the one before.
  for (let id = 0; id < 100; id++) bare.socket.send(JSON.stringify(ask(id)));
  await until(
    () => counted("started").length === 100 && counted("stopped").length === 99,
    "one stream's being left",
  );
  await ana.api.comments.create.mutate(aComment(blog));
  await until(() => comments().length > 0, "the comment");
  // A stream that ended makes room for another.
  bare.socket.send(JSON.stringify({ id: 99, method: "subscription.stop" }));
  await until(() => counted("stopped").length === 100, "the last one's end");
  bare.socket.send(JSON.stringify(ask(999)));
  await until(() => counted("data").some(({ id }) => id === 999));
  await ana.api.comments.create.mutate(aComment(blog));
  await until(() => comments().length > 1, "the second comment");
  expect(comments().map(({ id }) => id)).toEqual([99, 999]);
});

test("who opens streams without pause has to wait, over a socket and over HTTP, whatever address they claim", async () => {
  await using town = await startTown({ RATE_LIMIT: "on", TRUST_PROXY: "on" });
  const ana = await town.resident("Ana");
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  // The proxy adds whom it heard to whatever stood in the header.
  const claimed = (address: string) => ({ "x-forwarded-for": `${address}, 203.0.113.9` });
  for (let count = 0; count < 3_000; count++) await town.app.parts.limits.take("read", "203.0.113.9");
  const bare = bareSocket(town, claimed("198.51.100.1"));
  await bare.open();
  bare.call("subscription", "live.follow", { topics: [`blog:${id}`] });
  await until(() => bare.said.length === 1);
  expect(bare.said[0]?.error).toMatchObject({
    message: expect.stringContaining("Too many attempts"),
    data: { code: "TOO_MANY_REQUESTS" },
  });
  const stream = (headers: Record<string, string>) =>
    fetch(
      `${town.url}/trpc/live.follow?input=${encodeURIComponent(JSON.stringify({ topics: [`blog:${id}`] }))}`,
      {
        headers: { accept: "text/event-stream", ...headers },
      },
    );
  expect(await (await stream(claimed("198.51.100.2"))).text()).toContain("Too many attempts");
  const other = bareSocket(town, { "x-forwarded-for": "203.0.113.10" });
  await other.open();
  other.call("subscription", "live.follow", { topics: [`blog:${id}`] });
  await until(() => other.said.length > 0);
  expect(other.said[0]?.result).toMatchObject({ type: "started" });
});

test("a reader who does not read is cut when a megabyte waits, the others hear everything, and the one who comes back misses nothing", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const { id, slug } = await ana.api.blogs.create.mutate(aBlog());
  const { cursor } = await ana.api.blogs.bySlug.query({ slug });
  const other = watch(town.browser(), id, cursor);
  const slowBrowser = town.browser();
  const slow = watch(slowBrowser, id, cursor);
  await Promise.all([other.live(), slow.live()]);
  const [stuck] = slowBrowser.sockets;
  const wire = (stuck as unknown as { _socket: { pause: () => void; resume: () => void } })._socket;
  wire.pause();
  const before = clients(town);
  let written = 0;
  const text = "🦉".repeat(limits.comment.max);
  // 20 kB each: the kernel's buffers between the two fill first, some megabytes.
  while (clients(town) === before && written < 2_000) {
    await Promise.all(
      Array.from({ length: 10 }, () => ana.api.comments.create.mutate(aComment({ id }, { text }))),
    );
    written += 10;
  }
  expect(clients(town)).toBe(before - 1);
  await other.heard("comment.created", written);
  wire.resume();
  await slow.heard("comment.created", written);
  expect(new Set(slow.told().map((heard) => heard.id)).size).toBe(slow.told().length);
  expect(slow.events("comment.created").map(({ comment }) => comment.id)).toEqual(
    other.events("comment.created").map(({ comment }) => comment.id),
  );
});

test("when a session ends its sockets close with 4401, and no others", async () => {
  await using town = await startTown();
  const [ana, eve] = await Promise.all([town.resident("Ana"), town.resident("Eve")]);
  const laptop = town.browser();
  await laptop.api.users.signIn.mutate({ email: ana.email, password });
  const sockets = {
    phone: bareSocket(town, { origin: town.url, cookie: ana.cookie }),
    phoneToo: bareSocket(town, { origin: town.url, cookie: ana.cookie }),
    laptop: bareSocket(town, { origin: town.url, cookie: laptop.cookie }),
    eve: bareSocket(town, { origin: town.url, cookie: eve.cookie }),
    guest: bareSocket(town),
  };
  await Promise.all(Object.values(sockets).map((socket) => socket.open()));
  await until(() => clients(town) === 5);
  await ana.api.users.signOut.mutate();
  expect(await Promise.all([sockets.phone.closed(), sockets.phoneToo.closed()])).toEqual([4401, 4401]);
  await until(() => clients(town) === 3);
  sockets.laptop.call("query", "users.me", undefined);
  await until(() => sockets.laptop.said.length === 1);
  expect([sockets.laptop, sockets.eve, sockets.guest].map(({ end }) => end.code)).toEqual([0, 0, 0]);
});

test("a session that ends in the moment its socket opens closes that socket too", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const { cookie } = ana;
  for (let round = 0; round < 15; round++) {
    const browser = town.browser();
    await browser.api.users.signIn.mutate({ email: ana.email, password });
    const sockets = Array.from({ length: 6 }, () =>
      bareSocket(town, { origin: town.url, cookie: browser.cookie }),
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
    // Each is closed, or opened later and is a guest's, who may not listen.
    await Promise.all(
      sockets.map(({ end, said }) =>
        until(() => end.code === 4401 || said.some(({ error }) => error?.data.code === "UNAUTHORIZED")),
      ),
    );
    for (const { socket } of sockets) socket.terminate();
  }
  expect(ana.cookie).toBe(cookie);
});

test("a stream over server-sent events goes on after the last event heard, and ends with the session", async () => {
  await using town = await startTown();
  const [ana, eve] = await Promise.all([town.resident("Ana"), town.resident("Eve")]);
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  const stream = async (browser: Browser, procedure: string, input: object) => {
    const answer = await browser.fetch(
      `/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`,
      { headers: { accept: "text/event-stream" } },
    );
    const heard = { text: "", ended: false };
    void (async () => {
      try {
        for await (const part of answer.body ?? []) heard.text += Buffer.from(part as Uint8Array).toString();
      } catch {
        // Cut in the middle: that is an end, too.
      }
      heard.ended = true;
    })();
    await until(() => heard.text.includes('"checkpoint"'), "the stream's start");
    return heard;
  };
  const first = await stream(eve, "live.follow", { topics: [`blog:${id}`] });
  const own = await stream(eve, "live.follow", { topics: ["me"] });
  const anas = await stream(ana, "live.follow", { topics: ["me"] });
  await ana.api.comments.create.mutate(aComment({ id }, { text: "one" }));
  await eve.api.social.likeBlog.mutate({ blogId: id, liked: true });
  await until(() => first.text.includes('"one"') && own.text.includes("viewer.like"));
  const lastEventId = [...first.text.matchAll(/id: (\S+)/g)].at(-1)?.[1];
  await ana.api.comments.create.mutate(aComment({ id }, { text: "two" }));
  await eve.api.users.signOut.mutate();
  await until(() => first.ended && own.ended, "the end of what the session had open");

  const again = await stream(town.browser(), "live.follow", { topics: [`blog:${id}`], lastEventId });
  await until(() => again.text.includes('"two"'));
  expect(again.text).not.toContain('"one"');
  expect(anas.ended).toBe(false);
  await ana.api.users.signOut.mutate();
  await until(() => anas.ended);
});

test("the site closes within ten seconds, whoever is connected", async () => {
  const town = await startTown();
  const ana = await town.resident("Ana");
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  const heard = watch(ana, id, undefined);
  await heard.live();
  const polite = Array.from({ length: 20 }, () => bareSocket(town));
  const dead = Array.from({ length: 5 }, () => bareSocket(town));
  await Promise.all([...polite, ...dead].map((socket) => socket.open()));
  for (const { socket } of dead) socket.pause();
  // Where WebSockets are blocked, the same streams run over server-sent events.
  const stream = await fetch(
    `${town.url}/trpc/live.follow?input=${encodeURIComponent(JSON.stringify({ topics: [`blog:${id}`] }))}`,
    { headers: { accept: "text/event-stream" } },
  );
  expect(stream.status).toBe(200);
  const start = performance.now();
  await town.app.close();
  expect(performance.now() - start).toBeLessThan(10_000);
  for (const { end } of polite) expect(end.code).toBe(1012);
  await stream.body?.cancel().catch(() => undefined);
  await town[Symbol.asyncDispose]();
});

test("somebody who sends half a request does not keep the site from closing", async () => {
  const town = await startTown();
  const half = connect(Number(new URL(town.url).port), "127.0.0.1");
  half.on("error", () => undefined);
  half.write(
    "POST /trpc/users.signIn HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{",
  );
  const handshake = connect(Number(new URL(town.url).port), "127.0.0.1");
  handshake.on("error", () => undefined);
  handshake.write("GET /trpc HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n");
  await until(() => half.readyState === "open" && handshake.readyState === "open");
  await town.browser().api.users.site.query();
  await town.app.close();
  await until(() => half.destroyed && handshake.destroyed);
  await town[Symbol.asyncDispose]();
});

test("every socket and stream that is closed leaves nothing behind", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  const before = town.listeners;
  for (let round = 0; round < 5; round++) {
    const browsers = Array.from({ length: 20 }, () => town.browser(ana.cookie));
    const heard = browsers.map((browser) => watch(browser, id, undefined));
    await Promise.all(heard.map((stream) => stream.live()));
    browsers.forEach((browser, index) => (index % 2 === 0 ? browser.cut() : heard[index]?.stop()));
    await Promise.all(browsers.map((browser) => browser.close()));
  }
  await until(() => town.listeners === before && clients(town) === 0, "the leaving of everybody");
});
