import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

type Way = "up" | "down";

interface Line {
  browser: Socket;
  server: Socket;
  /** Takes everything and passes nothing on, as a line whose other end is gone without a word. */
  dead: boolean;
}

/** The bytes between one browser and a server: a line that can be cut at any of them, and can die without a word. */
export class Wire implements AsyncDisposable {
  readonly #server: Server;
  readonly #lines = new Set<Line>();
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

  /** A way to a server on this machine. */
  static async to(url: string): Promise<Wire> {
    const server = createServer();
    const wire = new Wire(server, Number(new URL(url).port));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return wire;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Every connection breaks at once. */
  cut(): void {
    for (const line of this.#lines) end(line);
  }

  /** Every connection breaks after so many more bytes, in the middle of whatever they are part of. */
  cutAfter(bytes: number, way: Way): void {
    this.#left[way] = bytes;
  }

  /** The connections that are open die without a word; with `andNew` those that are opened from now on, too. */
  swallow(andNew = false): void {
    for (const line of this.#lines) line.dead = true;
    this.#swallowsNew = andNew;
    this.#isBack = false;
  }

  /** The network is well again. What died without a word stays dead, and is reset as soon as something is sent over it. */
  heal(): void {
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
    const line: Line = { browser, server, dead: this.#swallowsNew };
    this.#lines.add(line);
    for (const [from, way] of [
      [browser, "up"],
      [server, "down"],
    ] as const) {
      from.setNoDelay(true);
      from.on("data", (bytes) => this.#pass(line, bytes, way));
      from.on("error", () => {});
      from.on("close", () => {
        // The end of a line that is dead is not told of either.
        if (line.dead && way === "down") return;
        end(line);
        this.#lines.delete(line);
      });
    }
  }

  #pass(line: Line, bytes: Buffer, way: Way): void {
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
    // What was passed on before the cut arrives.
    to.write(bytes.subarray(0, left), () => this.cut());
  }
}

function end({ browser, server }: Line): void {
  browser.destroy();
  server.destroy();
}
