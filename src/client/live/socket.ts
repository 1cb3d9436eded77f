import { createWSClient, wsLink } from "@trpc/client";
import { subscription } from "./subscription.ts";
import type { Transport } from "./transport.ts";

/** The server closes a socket with this code when the session it was opened with has ended. */
const SESSION_ENDED = 4401;

/** So long the farewell of a socket that was not open yet may wait for it. */
const FAREWELL = 1_000;

/**
 * The stream over a WebSocket of this class. A lost one is not opened again here: the line does that, with what is shown
 * then. What is closed here is over at once, though the browser waits up to a minute for the farewell of a dead network.
 */
export const overSocketsOf =
  (Socket: typeof WebSocket, url: () => string): Transport =>
  (listener) => {
    let socket: WebSocket | undefined;
    let isOver = false;
    const hear = (opened: WebSocket): void => {
      socket = opened;
      opened.addEventListener("message", ({ data }) => {
        if (!isOver && (data === "PING" || data === "PONG")) listener.onAlive();
      });
    };
    class Heard extends Socket {
      constructor(address: string | URL) {
        super(address);
        hear(this);
      }
    }
    const close = (): void => {
      isOver = true;
      stream.end();
      // One that is not open yet is closed once it is, since the browser complains on the console of another; while one
      // waits it opens no other there.
      void sockets.close();
      setTimeout(() => socket?.close(), FAREWELL);
    };
    const lose = (code?: number): void => {
      if (isOver) return;
      close();
      listener.onLost(code === SESSION_ENDED);
    };
    const sockets = createWSClient({
      url,
      WebSocket: Heard,
      onError: () => lose(),
      onClose: (closed) => lose(closed?.code),
    });
    // That the way failed is heard from the socket.
    const stream = subscription(wsLink({ client: sockets }), listener, () => {});
    return {
      follow: stream.follow,
      ping() {
        if (socket?.readyState === Socket.OPEN) socket.send("PING");
      },
      close,
    };
  };

/** The stream over a WebSocket. */
export const overSocket: Transport = (listener) =>
  overSocketsOf(
    WebSocket,
    () => `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/trpc`,
  )(listener);
