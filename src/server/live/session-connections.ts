import type { ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import type { WebSocket } from "ws";
import { closeSoon, closeTimeoutMs } from "./bounded-socket.ts";
import type { Bus } from "./bus.ts";
import { ConnectionLimits } from "./connection-limits.ts";
import { sessionEndedTopic } from "./signals.ts";

/** Closed because the session ended: the page becomes a guest's. */
const sessionEnded = 4401;
const goingAway = 1012;

/** A connection of a page: a WebSocket, or a response of server-sent events. */
type LiveTransport = WebSocket | ServerResponse;

/** Closes the connections of a session when it ends: it is checked only when a connection opens. */
export class SessionConnections {
  readonly limits = new ConnectionLimits();
  readonly #bus: Bus;
  readonly #eventStreams = new Set<ServerResponse>();

  constructor(bus: Bus) {
    this.#bus = bus;
  }

  bind(sessionHash: string, connection: LiveTransport): void {
    const stop = this.#bus.listen(sessionEndedTopic(sessionHash), () => {
      if ("terminate" in connection) closeSoon(connection, sessionEnded, "session ended");
      else connection.destroy();
    });
    connection.once("close", stop);
  }

  /** Tracks an event stream, which has no end of its own. */
  track(response: ServerResponse): void {
    this.#eventStreams.add(response);
    response.once("close", () => this.#eventStreams.delete(response));
  }

  endEventStreams(): void {
    for (const response of this.#eventStreams) response.destroy();
  }
}

/** Closes every connection promptly when the server stops. */
export function closeSocketsOnStop(app: FastifyInstance, open: SessionConnections): void {
  const server = app.websocketServer;
  let closing = false;
  // A page that reconnects meanwhile would delay the stop.
  app.server.prependListener("upgrade", (_request, socket) => {
    if (closing) socket.destroy();
  });
  // By itself, closing waits half a minute for a lost peer, and for ever for one that stays connected.
  app.addHook("preClose", async () => {
    closing = true;
    open.endEventStreams();
    for (const socket of server.clients) closeSoon(socket, goingAway, "the server restarts");
    await new Promise<void>((resolve) => {
      const end = setTimeout(finish, closeTimeoutMs + 50);
      const check = setInterval(() => server.clients.size === 0 && finish(), 10);
      function finish() {
        clearTimeout(end);
        clearInterval(check);
        for (const socket of server.clients) socket.terminate();
        resolve();
      }
    });
  });
}
