import { createWSClient, wsLink } from "@trpc/client";
import { subscription } from "./subscription.ts";
import type { Transport } from "./transport.ts";

/** The server closes a socket with this code when the session it was opened with has ended. */
const SESSION_ENDED = 4401;

/** How long a socket that is still connecting may take before it is closed all the same, in milliseconds. */
const CLOSE_AFTER = 1_000;

/**
 * Creates the transport over sockets of this class, each used until it is lost: the line opens the next one, with the topics
 * of that moment. A closed transport is silent at once, also where the browser waits a minute for a dead network.
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
      // Waits for a socket that is connecting, since closing it earlier logs an error on the console.
      void sockets.close();
      // But not for long: the browser opens no second socket to a host while the first one connects.
      setTimeout(() => socket?.close(), CLOSE_AFTER);
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
    // The socket itself reports a lost connection.
    const stream = subscription(wsLink({ client: sockets }), listener, () => {});
    return {
      follow: stream.follow,
      ping() {
        if (socket?.readyState === Socket.OPEN) socket.send("PING");
      },
      close,
    };
  };

/** The transport over the page's own WebSocket. */
export const overSocket: Transport = (listener) =>
  overSocketsOf(
    WebSocket,
    () => `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/trpc`,
  )(listener);
