type Act = (path: readonly string[], name: string, ...args: never[]) => unknown;

/**
 * What can be called by any name, however deep: `act` hears the names on the way, the last one, and what it was called
 * with. `known` has what stands there by itself.
 */
export function named(act: Act, known: Record<string, unknown> = {}, path: readonly string[] = []): object {
  return new Proxy(function anything() {}, {
    get: (_, name) =>
      // What has a `then` is taken for a promise by whoever awaits it.
      typeof name === "symbol" || name === "then"
        ? undefined
        : (known[name] ??= named(act, {}, [...path, name])),
    apply: (_, __, args: never[]) => act(path.slice(0, -1), path.at(-1)!, ...args),
  });
}
