import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { WebSocket, WebSocketServer } from "ws";
import { afterEach, expect, test, vi } from "vitest";
import { addressKeys } from "../../../../src/server/auth/rate-limits.ts";
import { AddressCounts, BoundedSocket } from "../../../../src/server/live/bounded-socket.ts";
import { limits } from "../../../../src/shared/limits.ts";

const { heard } = limits.live;
afterEach(() => vi.useRealTimers());

/** A socket of an address, and the messages that it passes on. */
function aSocket(counts: AddressCounts, address: string) {
  // As `ws` creates one for a handshake that it accepts.
  const socket = new BoundedSocket(null as never, undefined, { autoPong: true });
  // It has no connection that could be closed.
  Object.assign(socket, { close: () => undefined, terminate: () => undefined });
  const ways = addressKeys(address);
  socket.allow = (message) => counts.allow(ways, message);
  const passed: string[] = [];
  socket.on("message", (data: Buffer) => void passed.push(data.toString()));
  return { passed, socket, say: (text: string) => socket.emit("message", Buffer.from(text), false) };
}

test("drops a message with more braces than calls are allowed, and all after it", () => {
  const { say, passed } = aSocket(new AddressCounts(true), "one");
  const calls = (count: number) => `[${Array(count).fill("{}").join(",")}]`;
  say(calls(heard.message - 1));
  say(calls(heard.message));
  say("PING");
  expect(passed).toEqual([calls(heard.message - 1)]);
});

test("limits the calls and bytes of a socket per period", () => {
  vi.useFakeTimers();
  const counts = new AddressCounts(true);
  const calls = aSocket(counts, "one");
  for (let count = 0; count < heard.socket.calls; count++) calls.say("PONG");
  vi.advanceTimersByTime(heard.within + 1);
  for (let count = 0; count <= heard.socket.calls; count++) calls.say("PONG");
  expect(calls.passed).toHaveLength(2 * heard.socket.calls);

  const bytes = aSocket(counts, "two");
  const half = "x".repeat(heard.socket.bytes / 2);
  for (const text of [half, half, "x"]) bytes.say(text);
  expect(bytes.passed).toHaveLength(2);
});

test("counts pings and pongs as calls", () => {
  const { say, passed, socket } = aSocket(new AddressCounts(true), "one");
  for (let count = 0; count < heard.socket.calls; count += 2) {
    socket.emit("ping", Buffer.alloc(0));
    socket.emit("pong", Buffer.alloc(0));
  }
  say("PING");
  expect(passed).toEqual([]);
});

test("limits an address over all its sockets, where limits are on", () => {
  for (const isOn of [true, false]) {
    const counts = new AddressCounts(isOn);
    const each = "x".repeat(heard.socket.bytes);
    const most = heard.address.bytes / heard.socket.bytes;
    const sockets = Array.from({ length: most + 1 }, () => aSocket(counts, "one"));
    for (const { say } of sockets) say(each);
    expect(sockets.filter(({ passed }) => passed.length > 0)).toHaveLength(isOn ? most : most + 1);
    const other = aSocket(counts, "two");
    other.say(each);
    expect(other.passed).toHaveLength(1);
  }
});

test("limits all of an IPv6 /48 to what eight of its networks are allowed", () => {
  const counts = new AddressCounts(true);
  const each = "x".repeat(heard.socket.bytes);
  const ofOne = heard.address.bytes / heard.socket.bytes;
  const say = (network: number) => {
    const socket = aSocket(counts, `2001:db8:1:${network}::1`);
    socket.say(each);
    return socket.passed.length;
  };
  for (let network = 0; network < 8; network++)
    for (let count = 0; count < ofOne; count++) expect(say(network)).toBe(1);
  expect(say(8)).toBe(0);
});

test("closes a socket whose client reads nothing once too much is buffered", async () => {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0, WebSocket: BoundedSocket });
  const connected = once(server, "connection") as Promise<[BoundedSocket]>;
  await once(server, "listening");
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const [socket] = await connected;
  try {
    await once(client, "open");
    client.pause();
    const closed = once(socket, "close");
    const chunk = "x".repeat(64 * 1024);
    let most = 0;
    while (socket.readyState === socket.OPEN) {
      socket.send(chunk);
      most = Math.max(most, socket.bufferedAmount);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await closed;
    expect(most).toBeGreaterThan(limits.live.buffered);
    expect(most).toBeLessThan(limits.live.buffered + 2 * chunk.length);
  } finally {
    client.terminate();
    server.close();
  }
});
