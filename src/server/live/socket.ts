import type { ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import type { WebSocket } from "ws";
import { closeSoon, patience } from "./bounded-socket.ts";
import { Crowd } from "./crowd.ts";

/** Closed because the session ended: the page becomes a guest's. */
const sessionEnded = 4401;
const goingAway = 1012;

/** What a page listens through, as far as its end goes: a WebSocket, or an answer of server-sent events. */
type Line = WebSocket | ServerResponse;

/** Knows what is open for each session, and closes it when the session ends: what it was allowed was asked once, when it opened. */
export class Sockets {
  readonly crowd = new Crowd();
  readonly #bySession = new Map<string, Set<Line>>();
  readonly #answers = new Set<ServerResponse>();

  bind(sessionHash: string, line: Line): void {
    let lines = this.#bySession.get(sessionHash);
    if (!lines) this.#bySession.set(sessionHash, (lines = new Set()));
    lines.add(line);
    line.once("close", () => {
      lines.delete(line);
      if (lines.size === 0 && this.#bySession.get(sessionHash) === lines) this.#bySession.delete(sessionHash);
    });
  }

  /** Remembers an answer that goes on until somebody ends it. */
  hold(answer: ServerResponse): void {
    this.#answers.add(answer);
    answer.once("close", () => this.#answers.delete(answer));
  }

  endSession(sessionHash: string): void {
    for (const line of this.#bySession.get(sessionHash) ?? []) {
      if ("terminate" in line) closeSoon(line, sessionEnded, "session ended");
      else line.destroy();
    }
  }

  endAnswers(): void {
    for (const answer of this.#answers) answer.destroy();
  }
}

/** Ends every socket of the server promptly when it stops. */
export function endSockets(app: FastifyInstance, open: Sockets): void {
  const server = app.websocketServer;
  let closing = false;
  // Who comes back while the others are being closed would hold up the end.
  app.server.prependListener("upgrade", (_request, socket) => {
    if (closing) socket.destroy();
  });
  // Without this, closing waits half a minute for a peer that is gone, and for ever for one that listens.
  app.addHook("preClose", async () => {
    closing = true;
    open.endAnswers();
    for (const socket of server.clients) closeSoon(socket, goingAway, "the server restarts");
    await new Promise<void>((resolve) => {
      const end = setTimeout(finish, patience + 50);
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
