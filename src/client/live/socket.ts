import type { Told } from "../../shared/live.ts";
import type { Listener, Transport, Wire } from "./transport.ts";

/** The server closes a socket with this code when the session it was opened with has ended. */
const SESSION_ENDED = 4401;

/** What the server says, in tRPC's words; `PING` and `PONG` stand for themselves. */
interface Message {
  id: number | null;
  result?: { type: "started" | "stopped" } | { type: "data"; data: { id: string; data: Told } };
  error?: { data?: { code?: string; retryAfter?: number } };
}

/** So long the farewell of a socket that was not open yet may wait for it. */
const FAREWELL = 1_000;

/**
 * The stream over a WebSocket: tRPC's protocol for the one subscription that a page has. What is closed here is over at
 * once, though the browser waits up to a minute for the farewell of a dead network.
 */
export const overSocket: Transport = (listener) =>
  over(new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/trpc`), listener);

/** The same over a socket that is being opened. */
export const over = (socket: WebSocket, listener: Listener): Wire => {
  let id = 0;
  let isFollowing = false;
  let next: (() => void) | undefined;
  const send = (message: object): void => socket.send(JSON.stringify(message));
  const stop = (): void => {
    if (isFollowing) send({ id, method: "subscription.stop" });
    isFollowing = false;
  };
  socket.onopen = () => next?.();
  socket.onmessage = ({ data }: MessageEvent<string>) => {
    if (data === "PING") socket.send("PONG");
    if (data === "PING" || data === "PONG") return listener.onAlive();
    const { id: of, result, error } = JSON.parse(data) as Message;
    // What was said to an earlier question may still be on its way.
    if (of !== null && (of !== id || !isFollowing)) return;
    if (result?.type === "data") return listener.onTold(result.data.id, result.data.data);
    if (result?.type === "started") return listener.onAlive();
    isFollowing = false;
    listener.onRefused(error?.data?.code, error?.data?.retryAfter);
  };
  socket.onclose = ({ code }) => listener.onLost(code === SESSION_ENDED);
  return {
    follow(asked) {
      next = () => {
        stop();
        if (!asked) return;
        isFollowing = true;
        send({ id: ++id, method: "subscription", params: { path: "live.follow", input: asked } });
      };
      if (socket.readyState === socket.OPEN) next();
    },
    ping() {
      if (socket.readyState === socket.OPEN) socket.send("PING");
    },
    close() {
      socket.onmessage = socket.onclose = null;
      if (socket.readyState !== socket.CONNECTING) return socket.close();
      // The browser complains on the console of one that is closed before it is open; while one waits it opens no other there.
      socket.onopen = () => socket.close();
      setTimeout(() => socket.close(), FAREWELL);
    },
  };
};
