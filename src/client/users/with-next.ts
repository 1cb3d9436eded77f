import { safeNext, WRITE } from "../../shared/routes.ts";

/** A way to /signin or /signup that keeps where the reader wanted to go. */
export const withNext = (path: string, next: string | null): string =>
  next ? `${path}?next=${encodeURIComponent(safeNext(next))}` : path;

/** Why somebody who wanted to go there is asked who they are; null where they came by themselves. */
export function whyAsked(next: string | null): string | null {
  if (next === null) return null;
  return safeNext(next) === WRITE
    ? "What you write stands under your name: sign in or sign up, and you go on to your page."
    : "Please sign in to go on.";
}
