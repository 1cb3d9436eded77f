// A small reverse proxy before several servers of one site, as Caddy or nginx would be.
import { createServer, request, type IncomingMessage, type Server } from "node:http";
import { connect, type Socket } from "node:net";

/** Milliseconds between checks of a server, and for the answer. */
const checkMs = 500;

interface Upstream {
  port: number;
  isReady: boolean;
}

/** Passes requests and WebSockets on to those of the servers on these ports that are ready, one after the other. */
export class ClusterProxy {
  readonly server: Server = createServer();
  readonly #upstreams: Upstream[];
  readonly #checks: NodeJS.Timeout;
  readonly #sockets = new Set<Socket>();
  #next = 0;

  constructor(ports: number[]) {
    this.#upstreams = ports.map((port) => ({ port, isReady: true }));
    this.#checks = setInterval(() => this.#upstreams.forEach((one) => void this.#check(one)), checkMs);
    this.server.on("connection", (socket: Socket) => this.#track(socket));
    this.server.on("request", (incoming, outgoing) => {
      const send = (attempt: number): void => {
        const upstream = this.#choose();
        const forwarded = request({
          host: "127.0.0.1",
          port: upstream.port,
          path: incoming.url,
          method: incoming.method,
          headers: forwardedHeaders(incoming),
        });
        forwarded.on("error", (error: NodeJS.ErrnoException) => {
          const isRefused = error.code === "ECONNREFUSED";
          if (isRefused) upstream.isReady = false;
          // Nothing of it was sent.
          if (isRefused && attempt < this.#upstreams.length) return send(attempt + 1);
          if (outgoing.headersSent) return outgoing.destroy();
          outgoing.writeHead(502, { "content-type": "text/plain" }).end("No server of the site answered.\n");
        });
        forwarded.on("response", (answer) => {
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
          outgoing.flushHeaders();
          answer.pipe(outgoing);
          answer.on("error", () => outgoing.destroy());
        });
        outgoing.on("close", () => forwarded.destroy());
        forwarded.on("socket", (socket) =>
          socket.connecting
            ? socket.once("connect", () => incoming.pipe(forwarded))
            : incoming.pipe(forwarded),
        );
      };
      send(1);
    });
    this.server.on("upgrade", (incoming: IncomingMessage, client: Socket, head: Buffer) => {
      const upstream = connect(this.#choose().port, "127.0.0.1");
      this.#track(upstream);
      for (const [one, other] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        one.on("error", () => other.destroy());
        one.on("close", () => other.destroy());
      }
      const lines = Object.entries(forwardedHeaders(incoming)).map(
        ([name, value]) => `${name}: ${String(value)}`,
      );
      upstream.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
      upstream.write(head);
      client.pipe(upstream).pipe(client);
    });
  }

  /** Returns the next server that is ready, or the next one if none is. */
  #choose(): Upstream {
    const ready = this.#upstreams.filter(({ isReady }) => isReady);
    const candidates = ready.length > 0 ? ready : this.#upstreams;
    return candidates[this.#next++ % candidates.length]!;
  }

  async #check(upstream: Upstream): Promise<void> {
    const url = `http://127.0.0.1:${upstream.port}/readyz`;
    upstream.isReady = await fetch(url, { signal: AbortSignal.timeout(2 * checkMs) }).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  #track(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("close", () => this.#sockets.delete(socket));
  }

  close(): void {
    clearInterval(this.#checks);
    this.server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** The headers of a request, with its address as the last of those it has passed. */
function forwardedHeaders({ headers, socket }: IncomingMessage): IncomingMessage["headers"] {
  const before = headers["x-forwarded-for"];
  const address = socket.remoteAddress ?? "";
  return {
    ...headers,
    "x-forwarded-for": before === undefined ? address : `${String(before)}, ${address}`,
    "x-forwarded-proto": "http",
  };
}
