import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

type Direction = "up" | "down";

/** Milliseconds after which Chromium probes a connection that is silent (TCP keep-alive). */
const keepAliveMs = 45_000;

interface TcpConnection {
  browser: Socket;
  server: Socket;
  /** Takes everything and passes nothing on, like a connection whose other end vanished without closing. */
  dead: boolean;
}

/** A TCP link between a browser and a server that can be cut at any byte, or die without closing. */
export class TcpLink implements AsyncDisposable {
  readonly #server: Server;
  readonly #connections = new Set<TcpConnection>();
  readonly #port: number;
  /** How many more bytes pass before everything is cut. */
  #remaining = { up: Infinity, down: Infinity };
  #swallowsNew = false;
  #isBack = true;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.#port = port;
    server.on("connection", (browser) => this.#join(browser));
  }

  /** Creates a link to a server on this machine. */
  static async to(url: string): Promise<TcpLink> {
    const server = createServer();
    const link = new TcpLink(server, Number(new URL(url).port));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return link;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Breaks every connection at once. */
  cut(): void {
    for (const line of this.#connections) end(line);
  }

  /** Breaks every connection after this number of further bytes, in the middle of whatever they are part of. */
  cutAfter(bytes: number, direction: Direction): void {
    this.#remaining[direction] = bytes;
  }

  /** Makes open connections die without closing; with `andNew` future ones, too. */
  swallow(andNew = false): void {
    for (const line of this.#connections) line.dead = true;
    this.#swallowsNew = andNew;
    this.#isBack = false;
  }

  /**
   * Restores the network. Dead connections stay dead, and are reset as soon as something is sent over them: by the browser's own probe
   * at the latest, without which a request in flight would be waited for without end.
   */
  restore(): void {
    this.#remaining = { up: Infinity, down: Infinity };
    this.#swallowsNew = false;
    this.#isBack = true;
    for (const line of this.#connections)
      if (line.dead) setTimeout(() => line.browser.resetAndDestroy(), keepAliveMs).unref();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, "close");
  }

  #join(browser: Socket): void {
    const server = connect(this.#port, "127.0.0.1");
    const line: TcpConnection = { browser, server, dead: this.#swallowsNew };
    this.#connections.add(line);
    for (const [from, direction] of [
      [browser, "up"],
      [server, "down"],
    ] as const) {
      from.setNoDelay(true);
      from.on("data", (bytes) => this.#forward(line, bytes, direction));
      from.on("error", () => {});
      from.on("close", () => {
        // The end of a dead connection is not passed on either.
        if (line.dead && direction === "down") return;
        end(line);
        this.#connections.delete(line);
      });
    }
  }

  #forward(line: TcpConnection, bytes: Buffer, direction: Direction): void {
    if (line.dead) {
      if (direction === "up" && this.#isBack) line.browser.resetAndDestroy();
      return;
    }
    const socket = direction === "up" ? line.server : line.browser;
    const remaining = this.#remaining[direction];
    if (bytes.length < remaining) {
      this.#remaining[direction] = remaining - bytes.length;
      socket.write(bytes);
      return;
    }
    this.#remaining[direction] = Infinity;
    // Bytes from before the cut still arrive.
    socket.write(bytes.subarray(0, remaining), () => this.cut());
  }
}

function end({ browser, server }: TcpConnection): void {
  browser.destroy();
  server.destroy();
}
