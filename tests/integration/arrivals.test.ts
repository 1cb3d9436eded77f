import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import type { Resident } from "../support/browser.ts";
import { startTown, until, type Town } from "../support/town.ts";
import { zipOf } from "../support/zip.ts";

/* How long a request may take to arrive. The times are short here; how they stand to each other is as they are. */

const arrivals = { whole: 600, silent: 900, eachSecond: 2_000, lookedAtEvery: 50 };

const opened: Socket[] = [];
afterEach(() => {
  for (const socket of opened.splice(0)) socket.destroy();
});

/** A connection on which a request is written by hand, and what was answered on it so far. */
function line(town: Town) {
  const socket = connect(Number(new URL(town.url).port), "127.0.0.1");
  opened.push(socket);
  const said = { text: "", closed: false, socket };
  socket.on("data", (bytes) => (said.text += String(bytes)));
  socket.on("close", () => (said.closed = true));
  socket.on("error", () => undefined);
  return said;
}

const post = (path: string, headers: Record<string, string | number>) =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")}\r\n`;

const bytes = zipOf(
  Array.from({ length: 4 }, (_, at) => ({
    name: `${at}.md`,
    bytes: `---\ntitle: Post ${at}\n---\n${"An owl. ".repeat(120)}`,
    method: 0,
  })),
);
const form = Buffer.concat([
  Buffer.from('--b\r\ncontent-disposition: form-data; name="file"; filename="a.zip"\r\n\r\n'),
  bytes,
  Buffer.from("\r\n--b--\r\n"),
]);
const upload = (town: Town, who: Resident, length = form.length) =>
  post("/settings/import?kind=markdown&name=a.zip", {
    "content-type": "multipart/form-data; boundary=b",
    "content-length": length,
    origin: town.config.publicUrl,
    cookie: who.cookie,
  });

test("an upload of an import goes on for as long as bytes of it come, on a line however slow", async () => {
  await using town = await startTown({}, {}, { arrivals });
  const ana = await town.resident("Ana");
  const slow = line(town);
  slow.socket.write(upload(town, ana));
  const step = Math.ceil(form.length / 20);
  for (let at = 0; at < form.length; at += step) {
    slow.socket.write(form.subarray(at, at + step));
    await pause(100);
  }
  await until(() => slow.text.includes("\r\n\r\n{"));
  expect(slow.text).toMatch(/^HTTP\/1.1 200 /);
  await until(async () => (await ana.api.imports.list.query()).runs[0]?.state === "done");
});

test("one that says nothing more, or next to nothing, ends, and nothing of it stays", async () => {
  await using town = await startTown({}, {}, { arrivals });
  const ana = await town.resident("Ana");
  const silent = line(town);
  silent.socket.write(upload(town, ana));
  silent.socket.write(form.subarray(0, 500));
  await until(() => silent.closed);
  expect(silent.text).toMatch(/^HTTP\/1.1 408 /);
  const trickle = line(town);
  trickle.socket.write(upload(town, ana, 1_000_000));
  trickle.socket.write(form.subarray(0, 200));
  await until(async () => {
    trickle.socket.write("x");
    await pause(50);
    return trickle.closed;
  });
  expect(trickle.text).toMatch(/^HTTP\/1.1 408 /);
  expect((await ana.api.imports.list.query()).runs).toEqual([]);
});

test("nobody else's request gets more than the usual time: not a text, nor an upload of somebody unknown", async () => {
  await using town = await startTown({}, {}, { arrivals });
  const ana = await town.resident("Ana");
  const began = Date.now();
  const lines = [
    post("/api/v1/signup", { "content-type": "application/json", "content-length": 100_000 }),
    post("/nowhere", { "transfer-encoding": "chunked" }),
    post("/%E0%A4%A", { "content-length": 5_000 }),
    post("/settings/import?kind=markdown&name=a.zip", {
      "content-type": "multipart/form-data; boundary=b",
      "content-length": 5_000,
      origin: town.config.publicUrl,
    }),
    post("/settings/import?kind=what", {
      "content-type": "multipart/form-data; boundary=b",
      "content-length": 5_000,
      origin: town.config.publicUrl,
      cookie: ana.cookie,
    }),
  ].map((head) => {
    const one = line(town);
    one.socket.write(head);
    return { ...one, said: one, drip: head.includes("chunked") ? "1\r\nx\r\n" : "x" };
  });
  await until(async () => {
    for (const { socket, drip } of lines) socket.write(drip);
    await pause(50);
    return lines.every(({ said }) => said.closed);
  });
  expect(Date.now() - began).toBeLessThan(20 * arrivals.whole);
  // Of headers that do not arrive Node itself ends the connection.
  expect(town.app.server.server.headersTimeout).toBe(60_000);
});
