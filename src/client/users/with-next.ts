import { safeNext } from "../../shared/routes.ts";

/** A way to /signin or /signup that keeps where the reader wanted to go. */
export const withNext = (path: string, next: string | null): string =>
  next ? `${path}?next=${encodeURIComponent(safeNext(next))}` : path;
