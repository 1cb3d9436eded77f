import { safeNext, WRITE } from "../../shared/routes.ts";

/** Returns the path of /signin or /signup with the page to return to. */
export const withNext = (path: string, next: string | null): string =>
  next ? `${path}?next=${encodeURIComponent(safeNext(next))}` : path;

/** Returns why a guest must sign in for `next`; null without it. */
export function signInReason(next: string | null): string | null {
  if (next === null) return null;
  return safeNext(next) === WRITE
    ? "Sign in or sign up to write. We’ll take you right back."
    : "Please sign in to continue.";
}
