import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import type { Page } from "@playwright/test";
import { build, type Rolldown } from "vite";
import { WebSocketServer } from "ws";

type Code = typeof import("../../src/client/live/connection/web-socket.ts");

declare global {
  interface Window {
    told: string[];
    wire: import("../../src/client/live/connection/transport.ts").LiveStream;
  }
}

/** Builds the module with its imports as one script. */
async function bundled(): Promise<string> {
  const bundle = await build({
    configFile: false,
    logLevel: "error",
    build: {
      write: false,
      target: "es2022",
      lib: {
        entry: fileURLToPath(new URL("../../src/client/live/connection/web-socket.ts", import.meta.url)),
        formats: ["es"],
      },
    },
  });
  const [{ output }] = bundle as Rolldown.RolldownOutput[] as [Rolldown.RolldownOutput];
  return output[0].code;
}

/** Serves the module alone; WebSocket handshakes wait until the test accepts them. */
async function siteOfSockets(page: Page) {
  const code = await bundled();
  const server = createServer(({ url }, response) => {
    response.setHeader("content-type", url === "/" ? "text/html" : "text/javascript");
    response.end(url === "/" ? "" : code);
  });
  const connections: Socket[] = [];
  server.on("connection", (connection) => connections.push(connection));
  const sockets = new WebSocketServer({ noServer: true });
  const upgrade = new Promise<() => void>((resolve) => {
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
    upgrade,
    connect: () =>
      page.evaluate(async () => {
        const address = "/socket.js";
        const { webSocketTransport } = (await import(address)) as Code;
        window.told = [];
        window.wire = webSocketTransport({
          onMessage: () => window.told.push("told"),
          onAlive: () => window.told.push("alive"),
          onRefused: () => window.told.push("refused"),
          onLost: () => window.told.push("lost"),
        });
        window.wire.follow({ topics: ["feed"], since: undefined });
      }),
    [Symbol.asyncDispose]: async () => {
      for (const connection of connections) connection.destroy();
      await server[Symbol.asyncDispose]();
    },
  };
}

test("closes a socket that was closed while connecting, without an error or an event @more", async ({
  page,
}) => {
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  await using site = await siteOfSockets(page);
  const { sockets, upgrade } = site;
  await site.connect();
  const accept = await upgrade;
  await page.evaluate(() => window.wire.close());
  const connected = once(sockets, "connection") as Promise<[import("ws").WebSocket]>;
  accept();
  const [socket] = await connected;
  await once(socket, "close");
  expect(await page.evaluate(() => window.told)).toEqual([]);
  expect(complaints).toEqual([]);
});

test("connects again after giving up a handshake, and reports a lost socket once @more", async ({ page }) => {
  await using site = await siteOfSockets(page);
  await site.connect();
  await site.upgrade;
  await page.evaluate(() => window.wire.close());

  site.server.removeAllListeners("upgrade");
  site.server.on("upgrade", (request, raw, head) =>
    site.sockets.handleUpgrade(request, raw, head, (socket) => socket.send("PONG")),
  );
  await site.connect();
  const events = () => page.evaluate(() => window.told);
  await expect.poll(events).toEqual(["alive"]);
  for (const socket of site.sockets.clients) socket.terminate();
  await expect.poll(events).toEqual(["alive", "lost"]);
  await page.evaluate(() => window.wire.close());
  expect(await events()).toEqual(["alive", "lost"]);
});
