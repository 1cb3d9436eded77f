import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { encoder, messageOf, onWritten } from "../../../src/server/live/encoder.ts";
import { textFrame, writerOf } from "../../../src/server/live/socket.ts";

/** What a client hears of what is written to its socket, beside what `ws` sends. */
async function heard(write: (write: (frames: Buffer[]) => void, socket: WebSocket) => void, many: number) {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  await once(server, "listening");
  server.on("connection", (socket, request) => write(writerOf(socket, request.socket), socket));
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const texts: string[] = [];
  await new Promise<unknown>((resolve) => {
    client.on("close", resolve);
    client.on("error", (error) => texts.push(String(error)));
    client.on("message", (data: Buffer, isBinary) => {
      texts.push(isBinary ? "binary" : data.toString());
      if (texts.length === many) resolve(texts);
    });
  });
  client.terminate();
  server.close();
  return texts;
}

test("texts of every length arrive as they were, one by one, in heaps, and between what others send", async () => {
  const texts = [0, 1, 125, 126, 127, 65_535, 65_536, 200_000].map((length) => "o".repeat(length));
  texts.push("Grüße, 🦉 and ☃", "🦉".repeat(40_000));
  const frames = texts.map(textFrame);
  const all = await heard(
    (write, socket) => {
      for (const frame of frames) write([frame]);
      socket.send("between");
      write(frames);
      write(frames);
      write([]);
      write([frames[0]!, frames[1]!]);
    },
    3 * texts.length + 3,
  );
  expect(all).toEqual([...texts, "between", ...texts, ...texts, texts[0], texts[1]]);
});

test("nothing is written to a socket that is being closed", async () => {
  const all = await heard((write, socket) => {
    write([textFrame("the last word")]);
    socket.close();
    write([textFrame("too late")]);
  }, 2);
  expect(all).toEqual(["the last word"]);
});

test("an event reads the same whoever writes it, and tells its stream by which id it is known", () => {
  const told = { topic: "blog:a", event: { kind: "at" } };
  const ids: number[] = [];
  onWritten(told, (id) => ids.push(id));
  for (const [id, cursor] of [
    [3, "e.1"],
    [4, "e.1"],
    [3, "e.2"],
  ] as const) {
    const text = encoder.encode({
      id,
      result: { type: "data", id: cursor, data: { id: cursor, data: told } },
    });
    expect(JSON.parse(text)).toEqual({
      id,
      result: { type: "data", id: cursor, data: { id: cursor, data: told } },
    });
    expect(messageOf(id, cursor, told)).toEqual(textFrame(text));
    expect(messageOf(id, cursor, told)).toBe(messageOf(id, cursor, told));
  }
  expect(ids).toEqual([3, 4, 3]);
});
