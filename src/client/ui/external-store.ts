import { useSyncExternalStore } from "react";

/** A value outside React that components show by `useStore`. On the server it is never set. */
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

/** Returns a store's value, now and after each change. The server, and a page that is taken over, show the first. */
export const useStore = <T>(store: ExternalStore<T>): T =>
  useSyncExternalStore(store.subscribe, store.get, () => store.first);
