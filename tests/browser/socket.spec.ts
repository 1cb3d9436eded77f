import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "@playwright/test";
import { transformWithOxc } from "vite";
import { WebSocketServer } from "ws";

type Code = typeof import("../../src/client/api/fast-close-socket.ts");

declare global {
  interface Window {
    told: string[];
    socket: WebSocket;
  }
}

test("a socket closed while it connects is told of at once, without a complaint, and closed when it is open", async ({
  page,
}) => {
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  const file = new URL("../../src/client/api/fast-close-socket.ts", import.meta.url);
  const { code } = await transformWithOxc(await readFile(file, "utf8"), file.pathname);
  await using server = createServer(({ url }, response) => {
    response.setHeader("content-type", url === "/" ? "text/html" : "text/javascript");
    response.end(url === "/" ? "" : code);
  });
  const sockets = new WebSocketServer({ noServer: true });
  const asked = new Promise<() => void>((resolve) => {
    server.on("upgrade", (request, raw, head) =>
      resolve(() => sockets.handleUpgrade(request, raw, head, (ws) => sockets.emit("connection", ws))),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  await page.goto(`http://${host}/`);
  await page.evaluate(async (live) => {
    const address = "/fast-close-socket.js";
    const { fastCloseSocket } = (await import(address)) as Code;
    window.told = [];
    window.socket = new (fastCloseSocket(WebSocket))(live);
    for (const type of ["open", "error", "close"])
      window.socket.addEventListener(type, () => window.told.push(type));
  }, `ws://${host}/`);
  const accept = await asked;
  const told = await page.evaluate(async () => {
    window.socket.close();
    await Promise.resolve();
    return window.told;
  });
  expect(told).toEqual(["error", "close"]);

  const opened = once(sockets, "connection") as Promise<[import("ws").WebSocket]>;
  accept();
  const [socket] = await opened;
  await once(socket, "close");
  expect(await page.evaluate(() => window.told)).toEqual(["error", "close"]);
  expect(complaints).toEqual([]);
});
