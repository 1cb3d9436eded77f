import { AppError } from "../../shared/errors.ts";

/** Returns the codes of an error and its causes. */
function codesOf(error: unknown): { code: string; message: string }[] {
  if (!(error instanceof Error)) return [];
  const { code = "", cause, message } = error as Error & { code?: unknown };
  return [{ code: String(code), message }, ...codesOf(cause)];
}
const hasCode = (error: unknown, pattern: RegExp) => codesOf(error).some(({ code }) => pattern.test(code));

/** Whether a unique index refused a row; `column`, such as `users.email`, narrows it. */
export function isDuplicate(error: unknown, column?: string): boolean {
  const violation = codesOf(error).find(({ code }) => /^SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)$/.test(code));
  return violation !== undefined && (column === undefined || violation.message.includes(column));
}

/** Whether a foreign key refers to a missing row. */
export const isForeignKeyError = (error: unknown): boolean =>
  hasCode(error, /^SQLITE_CONSTRAINT_FOREIGNKEY$/);

/** Whether another process has the lock: a retry may work. */
export const isBusy = (error: unknown): boolean => hasCode(error, /^SQLITE_(BUSY|LOCKED|PROTOCOL)/);

/** Whether the disk is full. */
export const isDiskFull = (error: unknown): boolean =>
  hasCode(error, /^(SQLITE_FULL|SQLITE_IOERR_SHMSIZE|ENOSPC|EDQUOT)$/);

/** Whether the file is not a valid SQLite database. */
export const isDamaged = (error: unknown): boolean => hasCode(error, /^SQLITE_(NOTADB|CORRUPT)/);

/** Whether this account may not open or write the file. */
export const isForbidden = (error: unknown): boolean => hasCode(error, /^SQLITE_(CANTOPEN|READONLY|PERM)/);

/** Returns the `AppError` for a busy or full database, or undefined. */
export function asUnavailable(error: unknown): AppError | undefined {
  if (isBusy(error))
    return new AppError("unavailable", "The site is busy. Please try again in a moment.", {
      retryAfter: 5,
      cause: error,
    });
  if (isDiskFull(error))
    return new AppError(
      "unavailable",
      "The site’s disk is full, so nothing can be saved right now. Please try again later.",
      { retryAfter: 60, cause: error },
    );
  return undefined;
}
