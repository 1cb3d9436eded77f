import { safeNext, WRITE } from "../../shared/routes.ts";

/** A way to /signin or /signup that keeps where the reader wanted to go. */
export const withNext = (path: string, next: string | null): string =>
  next ? `${path}?next=${encodeURIComponent(safeNext(next))}` : path;

/** Why somebody who wanted to go there is asked who they are; null where they came by themselves. */
export function whyAsked(next: string | null): string | null {
  if (next === null) return null;
  return safeNext(next) === WRITE
    ? "Sign in or sign up to write. We’ll take you right back."
    : "Please sign in to continue.";
}
