import { lazy } from "react";
import type { ComponentType, LazyExoticComponent } from "react";
import { fetchCodeWithRetry } from "../api/retry.ts";

// As in React's own type of `lazy`.
// oxlint-disable-next-line typescript/no-explicit-any
type AnyComponent = ComponentType<any>;

/**
 * Returns a section of a page and the function that loads its code. Once that is loaded, the section is rendered synchronously:
 * the server renders in one pass.
 */
export function lazySection<Part extends AnyComponent>(
  fetchPart: () => Promise<Part>,
): { Section: LazyExoticComponent<Part>; load: () => Promise<{ default: Part }> } {
  let loaded: { default: Part } | undefined;
  const load = async () => {
    const part = await fetchPart();
    return (loaded ??= { default: part });
  };
  return { Section: lazy(() => (loaded ? resolved(loaded) : fetchCodeWithRetry(load))), load };
}

/** Returns a thenable that resolves synchronously; React's `lazy` needs no more. */
function resolved<T>(module: T): Promise<T> {
  // oxlint-disable-next-line unicorn/no-thenable
  return { then: (done: (module: T) => void) => done(module) } as unknown as Promise<T>;
}
