import { once } from "node:events";
import { connect } from "node:net";
import { WebSocket } from "ws";
import { expect, test, vi } from "vitest";
import { encoder } from "../../src/server/live/shared-messages.ts";
import { limits } from "../../src/shared/limits.ts";
import { aBlog, aComment, startTown, until, watch, type Town } from "../support/town.ts";

/* Many connections from one place, as an office has them, and as somebody with a script does. */

const { connections } = limits.live;

/** A socket as the proxy passes it on from an address: 101, or the status it is refused with. */
async function socketFrom(town: Town, address: string, headers: Record<string, string> = {}) {
  const socket = new WebSocket(`${town.url.replace("http", "ws")}/trpc`, {
    headers: { "x-forwarded-for": address, origin: town.url, ...headers },
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

function streamFrom(town: Town, address: string, blogId: string, cookie?: string, signal?: AbortSignal) {
  const input = encodeURIComponent(JSON.stringify({ topics: [`blog:${blogId}`] }));
  return fetch(`${town.url}/trpc/live.follow?input=${input}`, {
    signal: signal ?? null,
    headers: { accept: "text/event-stream", "x-forwarded-for": address, ...(cookie ? { cookie } : {}) },
  });
}

/** A stream is refused in its first words, and ended. */
const refusalOf = (stream: Response) => stream.text();

const listenTo = (socket: WebSocket, blogIds: string[]) =>
  socket.send(
    JSON.stringify({
      id: 1,
      method: "subscription",
      params: { path: "live.follow", input: { topics: blogIds.map((id) => `blog:${id}`) } },
    }),
  );

test(
  "an address has its share of sockets and no more; others live on, and a comment is quick",
  { tags: ["more"] },
  async () => {
    await using town = await startTown({ TRUST_PROXY: "on" });
    const ana = await town.resident("Ana");
    const blogs = await Promise.all(Array.from({ length: 5 }, () => ana.api.blogs.create.mutate(aBlog())));
    const ids = blogs.map(({ id }) => id);
    const [first = ""] = ids;
    let heard = 0;
    let started = 0;
    const sockets: WebSocket[] = [];
    // Of an IPv6 network every address is the same household's.
    const eves = (index: number) => `2001:db8:0:1::${(index + 1).toString(16)}`;
    while (sockets.length < connections.address) {
      const batch = await Promise.all(
        Array.from({ length: 50 }, (_, index) => socketFrom(town, eves(sockets.length + index))),
      );
      for (const { socket, status } of batch) {
        expect(status).toBe(101);
        socket.on("message", (data: Buffer) => {
          const said = data.toString();
          if (said.includes("comment.created")) heard++;
          else if (said.includes('"checkpoint"')) started++;
        });
        sockets.push(socket);
      }
    }
    expect((await socketFrom(town, eves(5_000))).status).toBe(429);
    expect(await refusalOf(await streamFrom(town, eves(5_001), first))).toContain("TOO_MANY_REQUESTS");

    for (const socket of sockets) listenTo(socket, ids);
    await until(() => started === connections.address, "the beginning of every stream");

    // Somebody else's page opens, listens and hears; and who wrote has the answer soon.
    const neighbour = await socketFrom(town, "2001:db8:0:2::1");
    expect(neighbour.status).toBe(101);
    const other = watch(town.browser(), first, undefined);
    await other.live();
    const before = process.threadCpuUsage();
    await ana.api.comments.create.mutate(aComment({ id: first }));
    await other.heard("comment.created");
    // The work of the server and of the thousand who hear, all in this process; what else the machine does is left out.
    await until(() => heard === connections.address, "the whole crowd");
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(1_500);

    // Who leaves makes room.
    sockets[0]?.terminate();
    await until(async () => (await socketFrom(town, eves(5_002))).status === 101, "room for another");
    for (const socket of sockets) socket.terminate();
  },
);

test("an account has its share wherever it listens, by socket or by stream; its page beyond it comes back by itself", async () => {
  await using town = await startTown({ TRUST_PROXY: "on" });
  const [ana, eve] = [await town.resident("Ana"), await town.resident("Eve")];
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  const stop = new AbortController();
  const open: WebSocket[] = [];
  for (let index = 0; index < connections.account - 1; index++) {
    const { socket, status } = await socketFrom(town, `198.51.100.${index}`, { cookie: eve.cookie });
    expect(status).toBe(101);
    open.push(socket);
  }
  await streamFrom(town, "198.51.100.200", id, eve.cookie, stop.signal);
  expect((await socketFrom(town, "198.51.100.201", { cookie: eve.cookie })).status).toBe(429);
  expect(await refusalOf(await streamFrom(town, "198.51.100.202", id, eve.cookie))).toContain("TOO_MANY");
  // A session that ended is nobody's, and Ana is not Eve.
  expect((await socketFrom(town, "198.51.100.203", { cookie: "session=nothing" })).status).toBe(101);
  expect((await socketFrom(town, "198.51.100.204", { cookie: ana.cookie })).status).toBe(101);

  const page = watch(town.browser(eve.cookie), id, undefined);
  await ana.api.comments.create.mutate(aComment({ id }));
  expect(page.state.started).toBe(0);
  stop.abort();
  await page.live();
  await ana.api.comments.create.mutate(aComment({ id }));
  await page.heard("comment.created");
  for (const socket of open) socket.terminate();
});

test("thirty tabs of one person listen to all they show, through every turn of a page", async () => {
  await using town = await startTown();
  const ana = await town.resident("Ana");
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  const tabs = await Promise.all(
    Array.from({ length: 30 }, async () => {
      const browser = town.browser(ana.cookie);
      const left = watch(browser, id, undefined);
      left.stop();
      const page = watch(browser, id);
      await page.live();
      return page;
    }),
  );
  await ana.api.comments.create.mutate(aComment({ id }));
  await Promise.all(tabs.map((page) => page.heard("comment.created")));
  expect(tabs.filter(({ state }) => state.ended || state.error)).toEqual([]);
});

test.each(["refused for its origin", "half a handshake", "gone at once"])(
  "a socket that is %s leaves no trace",
  async (kind) => {
    await using town = await startTown();
    const headers = {
      connection: "upgrade",
      upgrade: "websocket",
      ...(kind === "refused for its origin" ? { origin: "https://evil.example" } : { origin: town.url }),
    };
    const { port } = new URL(town.url);
    for (let round = 0; round < 20; round++) {
      const socket = connect(Number(port), "127.0.0.1").on("error", () => undefined);
      await once(socket, "connect");
      const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(`GET /trpc HTTP/1.1\r\nhost: x\r\n${head.join("")}\r\n`);
      if (kind !== "gone at once") socket.resume();
      else socket.destroy();
      await once(socket, "close");
    }
    await until(() => town.app.sockets.limits.count === 0, "nobody's being counted");
  },
);

test("what a crowd hears is written to it without waking its streams, whatever of a blog each of them shows", async () => {
  await using town = await startTown({ TRUST_PROXY: "on" });
  const ana = await town.resident("Ana");
  const { id } = await ana.api.blogs.create.mutate(aBlog());
  const sockets: WebSocket[] = [];
  const heard: string[] = [];
  let begun = 0;
  for (const topic of [`blog:${id}`, `card:${id}`, `card:${id}`, `blog:${id}`]) {
    const { socket } = await socketFrom(town, "203.0.113.7");
    sockets.push(socket);
    socket.on("message", (data: Buffer) => {
      const said = JSON.parse(data.toString()) as {
        result?: { data?: { data?: { event: { kind: string } } } };
      };
      const kind = said.result?.data?.data?.event.kind;
      if (kind === "checkpoint") begun++;
      else if (kind) heard.push(kind);
    });
    const params = { path: "live.follow", input: { topics: [topic] } };
    socket.send(JSON.stringify({ id: sockets.length, method: "subscription", params }));
  }
  await until(() => begun === sockets.length, "all streams");
  // tRPC writes what a stream says that is awake.
  const written = vi.spyOn(encoder, "encode");
  await ana.api.comments.create.mutate(aComment({ id }, { text: "Who hears it?" }));
  await until(() => heard.length >= sockets.length, "everybody to hear of it");
  expect(heard.toSorted()).toEqual(["blog.counted", "blog.counted", "comment.created", "comment.created"]);
  expect(written).not.toHaveBeenCalled();
  written.mockRestore();
  for (const socket of sockets) socket.terminate();
});
