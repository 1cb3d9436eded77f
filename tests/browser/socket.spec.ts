import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { expect, test } from "@playwright/test";
import type { Page } from "@playwright/test";
import { transformWithOxc } from "vite";
import { WebSocketServer } from "ws";

type Code = typeof import("../../src/client/api/fast-close-socket.ts");

declare global {
  interface Window {
    told: string[];
    socket: WebSocket;
  }
}

/** A site of the one module, whose handshakes for a WebSocket wait until the test accepts them. */
async function siteOfSockets(page: Page) {
  const file = new URL("../../src/client/api/fast-close-socket.ts", import.meta.url);
  const { code } = await transformWithOxc(await readFile(file, "utf8"), file.pathname);
  const server = createServer(({ url }, response) => {
    response.setHeader("content-type", url === "/" ? "text/html" : "text/javascript");
    response.end(url === "/" ? "" : code);
  });
  const wires: Socket[] = [];
  server.on("connection", (wire) => wires.push(wire));
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
  return {
    server,
    sockets,
    asked,
    connect: (patience?: number) =>
      page.evaluate(
        async ({ live, patience: most }) => {
          const address = "/fast-close-socket.js";
          const { fastCloseSocket } = (await import(address)) as Code;
          window.told = [];
          window.socket = new (fastCloseSocket(WebSocket, 500, most))(live);
          for (const type of ["open", "error", "close"])
            window.socket.addEventListener(type, () => window.told.push(type));
        },
        { live: `ws://${host}/`, patience },
      ),
    [Symbol.asyncDispose]: async () => {
      for (const wire of wires) wire.destroy();
      await server[Symbol.asyncDispose]();
    },
  };
}

test("a socket closed while it connects is told of at once, without a complaint, and closed when it is open", async ({
  page,
}) => {
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  await using site = await siteOfSockets(page);
  const { sockets, asked } = site;
  await site.connect();
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

test("a handshake that nobody answers is given up, and the next one is made", async ({ page }) => {
  await using site = await siteOfSockets(page);
  await site.connect(50);
  await site.asked;
  await expect.poll(() => page.evaluate(() => window.told)).toEqual(["error", "close"]);

  site.server.removeAllListeners("upgrade");
  site.server.on("upgrade", (request, raw, head) => site.sockets.handleUpgrade(request, raw, head, () => {}));
  await site.connect();
  await expect.poll(() => page.evaluate(() => window.told)).toEqual(["open"]);
  await page.evaluate(() => window.socket.close());
  await expect.poll(() => page.evaluate(() => window.told)).toEqual(["open", "close"]);
});

test("a socket that is open is not given up", async ({ page }) => {
  await page.clock.install();
  await using site = await siteOfSockets(page);
  await site.connect(30_000);
  const opened = once(site.sockets, "connection") as Promise<[import("ws").WebSocket]>;
  (await site.asked)();
  const [socket] = await opened;
  await expect.poll(() => page.evaluate(() => window.told)).toEqual(["open"]);
  await page.clock.fastForward(60_000);
  expect(await page.evaluate(() => [window.told, window.socket.readyState])).toEqual([["open"], 1]);
  socket.terminate();
  await expect.poll(() => page.evaluate(() => window.told.at(-1))).toBe("close");
});
