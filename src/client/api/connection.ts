import { useSyncExternalStore } from "react";

/**
 * How the live connection stands: `idle` nothing needs one, `live`, `connecting` for the first time or again, `offline`
 * after five seconds without one (design, "Client").
 */
export type ConnectionState = "idle" | "live" | "connecting" | "offline";

const OFFLINE_AFTER = 5_000;

/** Keeps the state of one connection and tells of its changes. */
export class Connection {
  #state: ConnectionState = "idle";
  #patience: ReturnType<typeof setTimeout> | undefined;
  readonly #listeners = new Set<() => void>();

  get state(): ConnectionState {
    return this.#state;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  become(state: "idle" | "live" | "connecting"): void {
    if (state === this.#state || (state === "connecting" && this.#state === "offline")) return;
    clearTimeout(this.#patience);
    if (state === "connecting") this.#patience = setTimeout(() => this.#tell("offline"), OFFLINE_AFTER);
    this.#tell(state);
  }

  #tell(state: ConnectionState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

/** This tab's connection. Never touched on the server. */
export const connection = new Connection();

export function useConnection(): ConnectionState {
  return useSyncExternalStore(
    connection.subscribe,
    () => connection.state,
    () => "idle",
  );
}
