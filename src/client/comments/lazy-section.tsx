import { lazy } from "react";
import type { ComponentType } from "react";
import { fetchNeeded } from "../api/retry.ts";
import { loadOfflineQueue } from "../live/mutations/offline-queue-loader.ts";
import { codeLoader } from "../ui/fetch-code.ts";
// With the page, so that comments in a page that the server rendered have their looks without a script.
import "../ui/field.css";
import "./comments.css";
import type { CommentsSection } from "./comments-section.tsx";

type Module = { default: typeof CommentsSection };

let loaded: Module | undefined;
const loadSection = codeLoader(() => import("./comments-section.tsx"));

/** Fetches the section's code, and what keeps what is written there: most readers of a blog never open it. */
export async function loadComments(): Promise<Module> {
  const [{ CommentsSection }] = await Promise.all([loadSection(), loadOfflineQueue().catch(() => undefined)]);
  return (loaded ??= { default: CommentsSection });
}

/** The section, drawn at once where its code was loaded before: the server, which draws in one go, loads it first. */
export const LazyCommentsSection = lazy((): Promise<Module> =>
  loaded ? here(loaded) : fetchNeeded(loadComments),
);

/** A promise that is kept before `then` returns, which is all that React's `lazy` asks of one. */
function here<T extends { default: ComponentType<never> }>(module: T): Promise<T> {
  // oxlint-disable-next-line unicorn/no-thenable
  return { then: (done: (module: T) => void) => done(module) } as unknown as Promise<T>;
}
