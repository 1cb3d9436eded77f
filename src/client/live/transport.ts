import type { LiveMessage } from "../../shared/live.ts";

/** What a page follows: these topics, from behind this cursor. */
export interface Asked {
  topics: string[];
  since: string | undefined;
}

export interface Listener {
  onTold(cursor: string, told: LiveMessage): void;
  /** Something was heard, though nothing of what is followed. */
  onAlive(): void;
  /** The stream is over or was refused, and the wire still stands. */
  onRefused(code: string | undefined, retryAfter?: number): void;
  /** The wire is gone. `ended`: because the session it was opened with is over. */
  onLost(ended: boolean): void;
}

/** A stream under way. */
export interface Wire {
  /** Follows this in place of what it followed; null for nothing. */
  follow(asked: Asked | null): void;
  /** Asks for a sign of life. Without it the stream is asked for again, and its first word is the sign. */
  ping?(): void;
  /** Its listener hears nothing more. */
  close(): void;
}

/** A way for the stream to come here. */
export type Transport = (listener: Listener) => Wire;

/** A transport whose code is fetched when it is needed: until then, and where that fails, it is one that is being opened. */
export function fetched(load: () => Promise<Transport>): Transport {
  return (listener) => {
    let asked: Asked | null = null;
    let wire: Wire | undefined;
    let isOpen = true;
    load().then(
      (open) => {
        if (!isOpen) return;
        wire = open(listener);
        wire.follow(asked);
      },
      () => isOpen && listener.onLost(false),
    );
    return {
      follow(now) {
        asked = now;
        wire?.follow(now);
      },
      close() {
        isOpen = false;
        wire?.close();
      },
    };
  };
}
