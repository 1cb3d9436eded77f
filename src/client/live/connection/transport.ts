import type { LiveMessage } from "../../../shared/live.ts";

/** The input of `live.follow`: topics, and the cursor after which their events are wanted. */
export interface LiveSubscription {
  topics: string[];
  since: string | undefined;
}

export interface TransportListener {
  onMessage(cursor: string, message: LiveMessage): void;
  /** Something arrived that is no message: the connection works. */
  onAlive(): void;
  /** The subscription ended or was refused; the connection itself still works. */
  onRefused(code: string | undefined, retryAfter?: number): void;
  /** The connection is lost. `sessionEnded`: since the session it was opened with has ended. */
  onLost(sessionEnded: boolean): void;
}

/** An open connection of one transport. */
export interface LiveStream {
  /** Replaces the subscription; null ends it. */
  follow(subscription: LiveSubscription | null): void;
  /** Asks the server for a sign of life; server-sent events have no way to. */
  ping?(): void;
  /** Closes the stream without a call of the listener. */
  close(): void;
}

/** Opens a stream, over WebSocket or server-sent events. */
export type Transport = (listener: TransportListener) => LiveStream;

/** Creates a transport whose code is loaded when it is first opened; a failed load counts as a lost connection. */
export function lazyTransport(load: () => Promise<Transport>): Transport {
  return (listener) => {
    let latest: LiveSubscription | null = null;
    let stream: LiveStream | undefined;
    let isOpen = true;
    load().then(
      (open) => {
        if (!isOpen) return;
        stream = open(listener);
        stream.follow(latest);
      },
      () => isOpen && listener.onLost(false),
    );
    return {
      follow(subscription) {
        latest = subscription;
        stream?.follow(subscription);
      },
      close() {
        isOpen = false;
        stream?.close();
      },
    };
  };
}
