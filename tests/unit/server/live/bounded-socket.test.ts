import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { WebSocket, WebSocketServer } from "ws";
import { afterEach, expect, test, vi } from "vitest";
import { addressKeys } from "../../../../src/server/auth/rate-limits.ts";
import { AddressCounts, BoundedSocket } from "../../../../src/server/live/bounded-socket.ts";
import { limits } from "../../../../src/shared/limits.ts";

const { clientMessages } = limits.live;
afterEach(() => vi.useRealTimers());

/** A socket of an address, and the messages that it passes on. */
function aSocket(counts: AddressCounts, address: string) {
  // As `ws` creates one for a handshake that it accepts.
  const socket = new BoundedSocket(null as never, undefined, { autoPong: true });
  // It has no connection that could be closed.
  Object.assign(socket, { close: () => undefined, terminate: () => undefined });
  const keys = addressKeys(address);
  socket.allow = (message) => counts.allow(keys, message);
  const delivered: string[] = [];
  socket.on("message", (data: Buffer) => void delivered.push(data.toString()));
  return {
    delivered,
    socket,
    emitMessage: (text: string) => socket.emit("message", Buffer.from(text), false),
  };
}

test("drops a message with more braces than calls are allowed, and all after it", () => {
  const { emitMessage, delivered } = aSocket(new AddressCounts(true), "one");
  const calls = (count: number) => `[${Array(count).fill("{}").join(",")}]`;
  emitMessage(calls(clientMessages.message - 1));
  emitMessage(calls(clientMessages.message));
  emitMessage("PING");
  expect(delivered).toEqual([calls(clientMessages.message - 1)]);
});

test("limits the calls and bytes of a socket per period", () => {
  vi.useFakeTimers();
  const counts = new AddressCounts(true);
  const calls = aSocket(counts, "one");
  for (let count = 0; count < clientMessages.socket.calls; count++) calls.emitMessage("PONG");
  vi.advanceTimersByTime(clientMessages.within + 1);
  for (let count = 0; count <= clientMessages.socket.calls; count++) calls.emitMessage("PONG");
  expect(calls.delivered).toHaveLength(2 * clientMessages.socket.calls);

  const bytes = aSocket(counts, "two");
  const half = "x".repeat(clientMessages.socket.bytes / 2);
  for (const text of [half, half, "x"]) bytes.emitMessage(text);
  expect(bytes.delivered).toHaveLength(2);
});

test("counts pings and pongs as calls", () => {
  const { emitMessage, delivered, socket } = aSocket(new AddressCounts(true), "one");
  for (let count = 0; count < clientMessages.socket.calls; count += 2) {
    socket.emit("ping", Buffer.alloc(0));
    socket.emit("pong", Buffer.alloc(0));
  }
  emitMessage("PING");
  expect(delivered).toEqual([]);
});

test("limits an address over all its sockets, where limits are on", () => {
  for (const isOn of [true, false]) {
    const counts = new AddressCounts(isOn);
    const message = "x".repeat(clientMessages.socket.bytes);
    const socketsAllowed = clientMessages.address.bytes / clientMessages.socket.bytes;
    const sockets = Array.from({ length: socketsAllowed + 1 }, () => aSocket(counts, "one"));
    for (const { emitMessage } of sockets) emitMessage(message);
    expect(sockets.filter(({ delivered }) => delivered.length > 0)).toHaveLength(
      isOn ? socketsAllowed : socketsAllowed + 1,
    );
    const other = aSocket(counts, "two");
    other.emitMessage(message);
    expect(other.delivered).toHaveLength(1);
  }
});

test("limits all of an IPv6 /48 to what eight of its networks are allowed", () => {
  const counts = new AddressCounts(true);
  const message = "x".repeat(clientMessages.socket.bytes);
  const socketsPerAddress = clientMessages.address.bytes / clientMessages.socket.bytes;
  const deliveredCount = (network: number) => {
    const socket = aSocket(counts, `2001:db8:1:${network}::1`);
    socket.emitMessage(message);
    return socket.delivered.length;
  };
  for (let network = 0; network < 8; network++)
    for (let count = 0; count < socketsPerAddress; count++) expect(deliveredCount(network)).toBe(1);
  expect(deliveredCount(8)).toBe(0);
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
    let maxBuffered = 0;
    while (socket.readyState === socket.OPEN) {
      socket.send(chunk);
      maxBuffered = Math.max(maxBuffered, socket.bufferedAmount);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await closed;
    expect(maxBuffered).toBeGreaterThan(limits.live.buffered);
    expect(maxBuffered).toBeLessThan(limits.live.buffered + 2 * chunk.length);
  } finally {
    client.terminate();
    server.close();
  }
});
