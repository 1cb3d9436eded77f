import { once } from "node:events";
import { createServer as createHttpServer, request as ask } from "node:http";
import type { IncomingMessage } from "node:http";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

/** Faults between a browser and the site, which can change at any time. */
export interface ProxyFaults {
  /** Refuses WebSocket handshakes, or accepts them and passes nothing on. */
  sockets: "pass" | "refuse" | "swallow";
  /** Holds back event streams until they end. */
  holdsEvents: boolean;
}

/** A reverse proxy in front of a site, with the faults that a test sets. */
export class Proxy implements AsyncDisposable {
  readonly faults: ProxyFaults = { sockets: "pass", holdsEvents: false };
  /** Responses of the proxy itself by path, which never reach the site. */
  readonly own = new Map<string, { type: string; body: string }>();
  /** The requests so far: `upgrade`, or the path. */
  readonly requests: string[] = [];
  readonly #target: URL;
  readonly #pairs = new Set<{ client: Socket; inner: Socket }>();
  readonly #http = createHttpServer();
  readonly #server: Server;

  private constructor(target: string) {
    this.#target = new URL(target);
    this.#http.on("request", (incoming, outgoing) => {
      const { url = "/", method, headers } = incoming;
      this.requests.push(url);
      const ownResponse = this.own.get(url);
      if (ownResponse) return void outgoing.setHeader("content-type", ownResponse.type).end(ownResponse.body);
      const forwarded = ask({
        host: this.#target.hostname,
        port: this.#target.port,
        path: url,
        method,
        headers,
      });
      forwarded.on("error", () => outgoing.destroy());
      forwarded.on("response", (answer) => {
        const isEventStream = answer.headers["content-type"]?.startsWith("text/event-stream");
        if (isEventStream && this.faults.holdsEvents) return void answer.resume();
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        outgoing.flushHeaders();
        answer.pipe(outgoing);
        answer.on("error", () => outgoing.destroy());
      });
      outgoing.on("close", () => forwarded.destroy());
      incoming.pipe(forwarded);
    });
    this.#http.on("upgrade", (request: IncomingMessage, socket: Socket) => this.#upgrade(request, socket));
    this.#server = createServer((client) => {
      const inner = connect((this.#http.address() as AddressInfo).port, "127.0.0.1");
      const pair = { client, inner };
      this.#pairs.add(pair);
      for (const [from, to] of [
        [client, inner],
        [inner, client],
      ] as const) {
        from.pipe(to);
        from.on("error", () => to.destroy());
        from.on("close", () => {
          if (this.#pairs.delete(pair)) to.destroy();
        });
      }
    });
  }

  static async before(site: string): Promise<Proxy> {
    const proxy = new Proxy(site);
    for (const server of [proxy.#http, proxy.#server]) {
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
    }
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Open connections pass nothing more without being closed; new ones work. */
  freezeConnections(): void {
    for (const pair of this.#pairs) {
      this.#pairs.delete(pair);
      for (const socket of [pair.client, pair.inner]) {
        socket.unpipe();
        socket.pause();
      }
      pair.client.on("close", () => pair.inner.destroy());
      this.#frozenClients.push(pair.client);
    }
  }
  readonly #frozenClients: Socket[] = [];

  #upgrade(request: IncomingMessage, socket: Socket): void {
    this.requests.push("upgrade");
    socket.on("error", () => socket.destroy());
    if (this.faults.sockets === "refuse")
      return void socket.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    const isSwallowing = this.faults.sockets === "swallow";
    const site = connect(Number(this.#target.port), this.#target.hostname);
    site.on("error", () => socket.destroy());
    site.on("close", () => socket.destroy());
    socket.on("close", () => site.destroy());
    const { rawHeaders, method, url } = request;
    const lines = rawHeaders.flatMap((name, index) =>
      index % 2 === 0 ? [`${name}: ${rawHeaders[index + 1]}`] : [],
    );
    site.write(`${method} ${url} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
    if (!isSwallowing) {
      socket.pipe(site);
      site.pipe(socket);
      return;
    }
    socket.resume();
    site.once("data", (answer: Buffer) => {
      socket.write(answer.subarray(0, answer.indexOf("\r\n\r\n") + 4));
      site.resume();
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { client, inner } of this.#pairs) {
      client.destroy();
      inner.destroy();
    }
    for (const client of this.#frozenClients) client.destroy();
    this.#server.close();
    this.#http.close();
    this.#http.closeAllConnections();
  }
}
