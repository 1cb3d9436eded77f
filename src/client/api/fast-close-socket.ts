/**
 * A WebSocket that reports its close at most `grace` ms after `close()` was called. The link's keep-alive answers a
 * missing pong with `close()`, but over a dead network the browser waits up to 60 s for the other side's farewell, and
 * only then would the link connect again. One that is still connecting reports it at once and is closed when it is open:
 * the browser complains on the console of one that is closed before. One that is not open after `patience` ms is
 * closed with that complaint: behind a request that a proxy swallowed the browser would wait for minutes, and connect to
 * that place no second time meanwhile.
 */
export function fastCloseSocket(Base: typeof WebSocket, grace = 500, patience = 10_000): typeof WebSocket {
  return class extends Base {
    /** Set once this class has told of the end: what the real socket says after that is hidden. */
    #ended = false;

    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols);
      const timer = setTimeout(() => {
        this.close();
        super.close();
      }, patience);
      // Added before anybody else can listen, so it is called first.
      for (const type of ["open", "message", "error", "close"] as const) {
        this.addEventListener(type, (event) => {
          if (event.isTrusted) clearTimeout(timer);
          if (!this.#ended || !event.isTrusted) return;
          event.stopImmediatePropagation();
          if (type === "open") super.close();
        });
      }
    }

    override send(data: Parameters<WebSocket["send"]>[0]): void {
      // The browser would drop it too, and complain.
      if (this.readyState === this.OPEN) super.send(data);
    }

    override close(code?: number, reason?: string): void {
      if (this.readyState === this.CONNECTING) {
        queueMicrotask(() => {
          if (!this.#ended) this.dispatchEvent(new Event("error"));
          this.#end();
        });
        return;
      }
      super.close(code, reason);
      setTimeout(() => this.#end(), grace);
    }

    #end(): void {
      if (this.readyState === this.CLOSED || this.#ended) return;
      this.#ended = true;
      this.dispatchEvent(new CloseEvent("close", { code: 1006 }));
    }
  };
}
