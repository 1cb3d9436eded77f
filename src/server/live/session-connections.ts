import type { ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import type { WebSocket } from "ws";
import { closeSoon, closeTimeoutMs } from "./bounded-socket.ts";
import { ConnectionLimits } from "./connection-limits.ts";

/** Closed because the session ended: the page becomes a guest's. */
const sessionEnded = 4401;
const goingAway = 1012;

/** A connection of a page: a WebSocket, or a response of server-sent events. */
type LiveTransport = WebSocket | ServerResponse;

/** Knows the open connections of each session, and closes them when it ends: a session is checked only when a connection opens. */
export class SessionConnections {
  readonly limits = new ConnectionLimits();
  readonly #bySession = new Map<string, Set<LiveTransport>>();
  readonly #eventStreams = new Set<ServerResponse>();

  bind(sessionHash: string, connection: LiveTransport): void {
    let connections = this.#bySession.get(sessionHash);
    if (!connections) this.#bySession.set(sessionHash, (connections = new Set()));
    connections.add(connection);
    connection.once("close", () => {
      connections.delete(connection);
      if (connections.size === 0 && this.#bySession.get(sessionHash) === connections)
        this.#bySession.delete(sessionHash);
    });
  }

  /** Tracks an event stream, which has no end of its own. */
  track(response: ServerResponse): void {
    this.#eventStreams.add(response);
    response.once("close", () => this.#eventStreams.delete(response));
  }

  endSession(sessionHash: string): void {
    for (const connection of this.#bySession.get(sessionHash) ?? []) {
      if ("terminate" in connection) closeSoon(connection, sessionEnded, "session ended");
      else connection.destroy();
    }
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
