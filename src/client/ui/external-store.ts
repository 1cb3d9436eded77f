import { useSyncExternalStore } from "react";

/** A value outside React, for `useStore`. The server never sets it. */
export class ExternalStore<T> {
  readonly first: T;
  #value: T;
  readonly #listeners = new Set<() => void>();

  constructor(value: T) {
    this.first = this.#value = value;
  }

  readonly get = (): T => this.#value;

  set(value: T): void {
    this.#value = value;
    for (const listener of this.#listeners) listener();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };
}

/** Subscribes to a store's value. Server and hydration use the first value. */
export const useStore = <T>(store: ExternalStore<T>): T =>
  useSyncExternalStore(store.subscribe, store.get, () => store.first);
