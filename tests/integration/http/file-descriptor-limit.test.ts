import { mkdtemp, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { once } from "node:events";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { isPostgres } from "../../../src/server/database/schema/store.ts";
import { startServer } from "../../support/server.ts";
import { until } from "../../support/until.ts";

const pages = ["/home", "/", "/search", "/docs", "/signin", "/nobody-is-here"];

/** Returns the status of a response over a connection that is open already. */
async function statusOverSocket(socket: Socket, address: string): Promise<string> {
  let answer = "";
  const onData = (bytes: Buffer) => void (answer += bytes.toString("latin1"));
  socket.on("data", onData);
  socket.write(`HEAD ${address} HTTP/1.1\r\nhost: x\r\n\r\n`);
  await until(() => answer.includes("\r\n\r\n"), `an answer for ${address}`);
  socket.off("data", onData);
  return answer.split(" ")[1] ?? "";
}

test("a server that cannot open one more file keeps rendering pages, also the first of each kind", async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), "reprise-files-"));
  const sockets: Socket[] = [];
  const most = 64;
  try {
    await using server = await startServer(
      { DATA_DIR: dataDir, LOG_LEVEL: "silent" },
      { script: "dist/current/server/main.js", files: most },
    );
    for (let count = 0; count < most; count++) {
      const socket = connect(server.port, "127.0.0.1").on("error", () => undefined);
      sockets.push(socket);
      await once(socket, "connect");
    }
    const [first, ...others] = sockets;
    // Connections without a free file are closed.
    await until(() => others.some((socket) => socket.closed), "the server's running out of files");
    const usual = pages.map((page) => (page === "/nobody-is-here" ? "404" : "200"));
    const statuses: string[] = [];
    for (const page of pages) statuses.push(await statusOverSocket(first as Socket, page));
    // A connection to PostgreSQL is a file, too: where one more is needed, the page says to try again.
    const expected = usual.map((status, index) => (isPostgres && statuses[index] === "503" ? "503" : status));
    for (const socket of sockets) socket.destroy();
    const after: number[] = [];
    for (const page of pages) after.push((await fetch(server.url + page)).status);
    expect({ during: statuses, after: after.map(String) }).toEqual({ during: expected, after: usual });
  } finally {
    for (const socket of sockets) socket.destroy();
    await rm(dataDir, { recursive: true, force: true });
  }
});
