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
  readonly #wires = new Set<{ client: Socket; inner: Socket }>();
  readonly #http = createHttpServer();
  readonly #front: Server;

  private constructor(target: string) {
    this.#target = new URL(target);
    this.#http.on("request", (incoming, outgoing) => {
      const { url = "/", method, headers } = incoming;
      this.requests.push(url);
      const own = this.own.get(url);
      if (own) return void outgoing.setHeader("content-type", own.type).end(own.body);
      const passed = ask({
        host: this.#target.hostname,
        port: this.#target.port,
        path: url,
        method,
        headers,
      });
      passed.on("error", () => outgoing.destroy());
      passed.on("response", (answer) => {
        const goesOn = answer.headers["content-type"]?.startsWith("text/event-stream");
        if (goesOn && this.faults.holdsEvents) return void answer.resume();
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        outgoing.flushHeaders();
        answer.pipe(outgoing);
        answer.on("error", () => outgoing.destroy());
      });
      outgoing.on("close", () => passed.destroy());
      incoming.pipe(passed);
    });
    this.#http.on("upgrade", (request: IncomingMessage, wire: Socket) => this.#upgrade(request, wire));
    this.#front = createServer((client) => {
      const inner = connect((this.#http.address() as AddressInfo).port, "127.0.0.1");
      const pair = { client, inner };
      this.#wires.add(pair);
      for (const [one, other] of [
        [client, inner],
        [inner, client],
      ] as const) {
        one.pipe(other);
        one.on("error", () => other.destroy());
        one.on("close", () => {
          if (this.#wires.delete(pair)) other.destroy();
        });
      }
    });
  }

  static async before(site: string): Promise<Proxy> {
    const proxy = new Proxy(site);
    for (const server of [proxy.#http, proxy.#front]) {
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
    }
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#front.address() as AddressInfo).port}`;
  }

  /** Open connections pass nothing more without being closed; new ones work. */
  freezeConnections(): void {
    for (const pair of this.#wires) {
      this.#wires.delete(pair);
      for (const one of [pair.client, pair.inner]) {
        one.unpipe();
        one.pause();
      }
      pair.client.on("close", () => pair.inner.destroy());
      this.#silent.push(pair.client);
    }
  }
  readonly #silent: Socket[] = [];

  #upgrade(request: IncomingMessage, wire: Socket): void {
    this.requests.push("upgrade");
    wire.on("error", () => wire.destroy());
    if (this.faults.sockets === "refuse")
      return void wire.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    const swallows = this.faults.sockets === "swallow";
    const site = connect(Number(this.#target.port), this.#target.hostname);
    site.on("error", () => wire.destroy());
    site.on("close", () => wire.destroy());
    wire.on("close", () => site.destroy());
    const { rawHeaders, method, url } = request;
    const lines = rawHeaders.flatMap((name, index) =>
      index % 2 === 0 ? [`${name}: ${rawHeaders[index + 1]}`] : [],
    );
    site.write(`${method} ${url} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
    if (!swallows) {
      wire.pipe(site);
      site.pipe(wire);
      return;
    }
    wire.resume();
    site.once("data", (answer: Buffer) => {
      wire.write(answer.subarray(0, answer.indexOf("\r\n\r\n") + 4));
      site.resume();
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { client, inner } of this.#wires) {
      client.destroy();
      inner.destroy();
    }
    for (const client of this.#silent) client.destroy();
    this.#front.close();
    this.#http.close();
    this.#http.closeAllConnections();
  }
}
