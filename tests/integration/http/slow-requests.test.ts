import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import type { SignedInBrowser } from "../../support/browser.ts";
import { startTestSite, until, type TestSite } from "../../support/test-site.ts";
import { buildZip } from "../../support/zip.ts";

/* Timeouts of slow requests, shortened in proportion. */

const arrivals = { requestMs: 600, maxSilenceMs: 900, minBytesPerSecond: 2_000, checkIntervalMs: 50 };

const openSockets: Socket[] = [];
afterEach(() => {
  for (const socket of openSockets.splice(0)) socket.destroy();
});

/** Opens a connection for raw requests, and collects the responses. */
function openConnection(testSite: TestSite) {
  const socket = connect(Number(new URL(testSite.url).port), "127.0.0.1");
  openSockets.push(socket);
  const connection = { text: "", closed: false, socket };
  socket.on("data", (bytes) => (connection.text += String(bytes)));
  socket.on("close", () => (connection.closed = true));
  socket.on("error", () => undefined);
  return connection;
}

const post = (path: string, headers: Record<string, string | number>) =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")}\r\n`;

const bytes = buildZip(
  Array.from({ length: 4 }, (_, index) => ({
    name: `${index}.md`,
    bytes: `---\ntitle: Post ${index}\n---\n${"An owl. ".repeat(120)}`,
    method: 0,
  })),
);
const form = Buffer.concat([
  Buffer.from('--b\r\ncontent-disposition: form-data; name="file"; filename="a.zip"\r\n\r\n'),
  bytes,
  Buffer.from("\r\n--b--\r\n"),
]);
const upload = (testSite: TestSite, person: SignedInBrowser, length = form.length) =>
  post("/settings/import?kind=markdown&name=a.zip", {
    "content-type": "multipart/form-data; boundary=b",
    "content-length": length,
    origin: testSite.config.publicUrl,
    cookie: person.cookie,
  });

test("accepts an import upload on a slow connection while its bytes keep coming", async () => {
  await using testSite = await startTestSite({}, {}, { arrivals });
  const ana = await testSite.createAccount("Ana");
  const connection = openConnection(testSite);
  connection.socket.write(upload(testSite, ana));
  const step = Math.ceil(form.length / 20);
  for (let offset = 0; offset < form.length; offset += step) {
    connection.socket.write(form.subarray(offset, offset + step));
    await pause(100);
  }
  await until(() => connection.text.includes("\r\n\r\n{"));
  expect(connection.text).toMatch(/^HTTP\/1.1 200 /);
  await until(async () => (await ana.api.imports.list.query()).runs[0]?.state === "done");
});

test("ends an upload that stalls or trickles with 408, and stores nothing", async () => {
  await using testSite = await startTestSite({}, {}, { arrivals });
  const ana = await testSite.createAccount("Ana");
  const silent = openConnection(testSite);
  silent.socket.write(upload(testSite, ana));
  silent.socket.write(form.subarray(0, 500));
  await until(() => silent.closed);
  expect(silent.text).toMatch(/^HTTP\/1.1 408 /);
  const trickle = openConnection(testSite);
  trickle.socket.write(upload(testSite, ana, 1_000_000));
  trickle.socket.write(form.subarray(0, 200));
  await until(async () => {
    trickle.socket.write("x");
    await pause(50);
    return trickle.closed;
  });
  expect(trickle.text).toMatch(/^HTTP\/1.1 408 /);
  expect((await ana.api.imports.list.query()).runs).toEqual([]);
});

test("ends other slow requests after the usual time: JSON bodies and uploads by guests or with invalid parameters", async () => {
  await using testSite = await startTestSite({}, {}, { arrivals });
  const ana = await testSite.createAccount("Ana");
  const startedAt = Date.now();
  const lines = [
    post("/api/v1/signup", { "content-type": "application/json", "content-length": 100_000 }),
    post("/nowhere", { "transfer-encoding": "chunked" }),
    post("/%E0%A4%A", { "content-length": 5_000 }),
    post("/settings/import?kind=markdown&name=a.zip", {
      "content-type": "multipart/form-data; boundary=b",
      "content-length": 5_000,
      origin: testSite.config.publicUrl,
    }),
    post("/settings/import?kind=what", {
      "content-type": "multipart/form-data; boundary=b",
      "content-length": 5_000,
      origin: testSite.config.publicUrl,
      cookie: ana.cookie,
    }),
  ].map((head) => {
    const one = openConnection(testSite);
    one.socket.write(head);
    return { ...one, connection: one, payload: head.includes("chunked") ? "1\r\nx\r\n" : "x" };
  });
  await until(async () => {
    for (const { socket, payload } of lines) socket.write(payload);
    await pause(50);
    return lines.every(({ connection }) => connection.closed);
  });
  expect(Date.now() - startedAt).toBeLessThan(20 * arrivals.requestMs);
  // Node itself ends a connection whose headers do not arrive.
  expect(testSite.app.server.server.headersTimeout).toBe(60_000);
});
