import { AppError } from "../../shared/errors.ts";

/** The codes of an error and of what caused it, as better-sqlite3 and the file system give them. */
function codesOf(error: unknown): { code: string; message: string }[] {
  if (!(error instanceof Error)) return [];
  const { code = "", cause, message } = error as Error & { code?: unknown };
  return [{ code: String(code), message }, ...codesOf(cause)];
}
const hasCode = (error: unknown, wanted: RegExp) => codesOf(error).some(({ code }) => wanted.test(code));

/** True where a unique index refused a row; `column` narrows it, as `users.email`. */
export function isDuplicate(error: unknown, column?: string): boolean {
  const refused = codesOf(error).find(({ code }) => /^SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)$/.test(code));
  return refused !== undefined && (column === undefined || refused.message.includes(column));
}

/** True where a row was to belong to one that is not there. */
export const isDangling = (error: unknown): boolean => hasCode(error, /^SQLITE_CONSTRAINT_FOREIGNKEY$/);

/** True where somebody else holds the store: it may work in a moment. */
export const isBusy = (error: unknown): boolean => hasCode(error, /^SQLITE_(BUSY|LOCKED|PROTOCOL)/);

/** True where there is no room left for what was to be stored. */
export const isFull = (error: unknown): boolean =>
  hasCode(error, /^(SQLITE_FULL|SQLITE_IOERR_SHMSIZE|ENOSPC|EDQUOT)$/);

/** True where the file is not what SQLite wrote. */
export const isDamaged = (error: unknown): boolean => hasCode(error, /^SQLITE_(NOTADB|CORRUPT)/);

/** What the store's trouble is called for whoever asks; undefined where an error is of another kind. */
export function asTrouble(error: unknown): AppError | undefined {
  if (isBusy(error))
    return new AppError("unavailable", "The site is busy. Please try again in a moment.", {
      retryAfter: 5,
      cause: error,
    });
  if (isFull(error))
    return new AppError(
      "unavailable",
      "The site’s disk is full, so nothing can be saved right now. Please try again later.",
      { retryAfter: 60, cause: error },
    );
  return undefined;
}
