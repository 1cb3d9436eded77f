import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { Duplex } from "node:stream";
import { expect, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import {
  encoder,
  messageOf,
  onSubscriptionId,
  senderOf,
} from "../../../../src/server/live/shared-messages.ts";

test("sends prepared messages as text, in order with other messages, and none once the socket closes", async () => {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  await once(server, "listening");
  server.on("connection", (socket, request) => {
    const send = senderOf(socket, request.socket);
    send([Buffer.from("one"), Buffer.from("Grüße, 🦉")]);
    socket.send("between");
    send([]);
    send([Buffer.from("o".repeat(200_000))]);
    socket.close();
    send([Buffer.from("late")]);
  });
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const received: string[] = [];
  client.on("message", (data: Buffer, isBinary) => received.push(isBinary ? "binary" : data.toString()));
  await once(client, "close");
  server.close();
  expect(received).toEqual(["one", "Grüße, 🦉", "between", "o".repeat(200_000)]);
});

test("writes messages that are sent together to the connection at once", async () => {
  const writes: string[] = [];
  const connection = new Duplex({
    read: () => undefined,
    write: (chunk: Buffer, _encoding, done) => (writes.push(chunk.toString("latin1")), done()),
    writev: (chunks, done) => (writes.push(chunks.map(({ chunk }) => String(chunk)).join("")), done()),
  });
  const server = new WebSocketServer({ noServer: true });
  const request = {
    method: "GET",
    headers: {
      upgrade: "websocket",
      "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
      "sec-websocket-version": "13",
    },
  } as unknown as IncomingMessage;
  const socket = await new Promise<WebSocket>((resolve) =>
    server.handleUpgrade(request, connection, Buffer.alloc(0), resolve),
  );
  writes.length = 0;
  senderOf(socket, connection)(["one", "two", "three"].map((text) => Buffer.from(text)));
  expect(writes).toEqual([expect.stringMatching(/one.*two.*three/)]);
  socket.terminate();
});

test("builds the message that tRPC would send for a subscription's id", () => {
  const message = { topic: "blog:a", event: { kind: "checkpoint" } };
  const ids: number[] = [];
  onSubscriptionId(message, (id) => ids.push(id));
  for (const [id, cursor] of [
    [3, "e.1"],
    [4, "e.1"],
    [3, "e.2"],
  ] as const) {
    const frame = { id, result: { type: "data", id: cursor, data: { id: cursor, data: message } } };
    const text = encoder.encode(frame);
    expect(JSON.parse(text)).toEqual(frame);
    expect(messageOf(id, cursor, message).toString()).toBe(text);
    expect(messageOf(id, cursor, message)).toBe(messageOf(id, cursor, message));
  }
  expect(ids).toEqual([3, 4, 3]);
});
