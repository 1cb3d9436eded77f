import { lazy } from "react";
import type { ComponentType } from "react";
import { fetchCodeWithRetry } from "../api/retry.ts";
import { loadOfflineQueue } from "../live/mutations/offline-queue-loader.ts";
import { codeLoader } from "../ui/fetch-code.ts";
// Also for server-rendered comments without a script.
import "../ui/field.css";
import "./comments.css";
import type { CommentsSection } from "./comments-section.tsx";

type Module = { default: typeof CommentsSection };

let loaded: Module | undefined;
const loadSection = codeLoader(() => import("./comments-section.tsx"));

/** Fetches the section's code and the offline queue: most readers never open it. */
export async function loadComments(): Promise<Module> {
  const [{ CommentsSection }] = await Promise.all([loadSection(), loadOfflineQueue().catch(() => undefined)]);
  return (loaded ??= { default: CommentsSection });
}

/** The section, rendered synchronously once its code is loaded: the server renders in one pass. */
export const LazyCommentsSection = lazy((): Promise<Module> =>
  loaded ? resolvedModule(loaded) : fetchCodeWithRetry(loadComments),
);

/** Returns a thenable that resolves synchronously; React's `lazy` needs no more. */
function resolvedModule<T extends { default: ComponentType<never> }>(module: T): Promise<T> {
  // oxlint-disable-next-line unicorn/no-thenable
  return { then: (done: (module: T) => void) => done(module) } as unknown as Promise<T>;
}
