import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

type Direction = "up" | "down";

interface TcpConnection {
  browser: Socket;
  server: Socket;
  /** Takes everything and passes nothing on, like a connection whose other end vanished without closing. */
  dead: boolean;
}

/** A TCP link between a browser and a server that can be cut at any byte, or die without closing. */
export class TcpLink implements AsyncDisposable {
  readonly #server: Server;
  readonly #lines = new Set<TcpConnection>();
  readonly #to: number;
  /** How many more bytes pass before everything is cut. */
  #left = { up: Infinity, down: Infinity };
  #swallowsNew = false;
  #isBack = true;

  private constructor(server: Server, to: number) {
    this.#server = server;
    this.#to = to;
    server.on("connection", (browser) => this.#join(browser));
  }

  /** Creates a link to a server on this machine. */
  static async to(url: string): Promise<TcpLink> {
    const server = createServer();
    const wire = new TcpLink(server, Number(new URL(url).port));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return wire;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Breaks every connection at once. */
  cut(): void {
    for (const line of this.#lines) end(line);
  }

  /** Breaks every connection after this number of further bytes, in the middle of whatever they are part of. */
  cutAfter(bytes: number, way: Direction): void {
    this.#left[way] = bytes;
  }

  /** Makes open connections die without closing; with `andNew` future ones, too. */
  swallow(andNew = false): void {
    for (const line of this.#lines) line.dead = true;
    this.#swallowsNew = andNew;
    this.#isBack = false;
  }

  /** Restores the network. Dead connections stay dead, and are reset as soon as something is sent over them. */
  restore(): void {
    this.#left = { up: Infinity, down: Infinity };
    this.#swallowsNew = false;
    this.#isBack = true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, "close");
  }

  #join(browser: Socket): void {
    const server = connect(this.#to, "127.0.0.1");
    const line: TcpConnection = { browser, server, dead: this.#swallowsNew };
    this.#lines.add(line);
    for (const [from, way] of [
      [browser, "up"],
      [server, "down"],
    ] as const) {
      from.setNoDelay(true);
      from.on("data", (bytes) => this.#pass(line, bytes, way));
      from.on("error", () => {});
      from.on("close", () => {
        // The end of a dead connection is not passed on either.
        if (line.dead && way === "down") return;
        end(line);
        this.#lines.delete(line);
      });
    }
  }

  #pass(line: TcpConnection, bytes: Buffer, way: Direction): void {
    if (line.dead) {
      if (way === "up" && this.#isBack) line.browser.resetAndDestroy();
      return;
    }
    const to = way === "up" ? line.server : line.browser;
    const left = this.#left[way];
    if (bytes.length < left) {
      this.#left[way] = left - bytes.length;
      to.write(bytes);
      return;
    }
    this.#left[way] = Infinity;
    // Bytes from before the cut still arrive.
    to.write(bytes.subarray(0, left), () => this.cut());
  }
}

function end({ browser, server }: TcpConnection): void {
  browser.destroy();
  server.destroy();
}
