import { DrizzleQueryError } from "drizzle-orm/errors";
import { AppError } from "../../shared/errors.ts";

/** Returns the codes of an error and its causes. */
function codesOf(error: unknown): { code: string; message: string }[] {
  if (!(error instanceof Error)) return [];
  const {
    code = "",
    cause,
    message,
    constraint = "",
  } = error as Error & Record<"code" | "constraint", unknown>;
  return [{ code: String(code), message: `${message} ${String(constraint)}` }, ...codesOf(cause)];
}
const hasCode = (error: unknown, pattern: RegExp) => codesOf(error).some(({ code }) => pattern.test(code));

/* Codes of five characters are those of PostgreSQL (its manual, appendix A). */

/** Whether a unique index refused a row; `column`, such as `users.email`, narrows it. */
export function isDuplicate(error: unknown, column?: string): boolean {
  const violation = codesOf(error).find(({ code }) =>
    /^(SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)|23505)$/.test(code),
  );
  if (violation === undefined || column === undefined) return violation !== undefined;
  // PostgreSQL names the constraint, as the migrations do: `users_email_unique`, and `passkeys_pkey` of a key.
  const [table = "", name = ""] = column.split(".");
  return [column, `${table}_${name}_unique`, `${table}_pkey`].some((text) =>
    violation.message.includes(text),
  );
}

/** Whether a foreign key refers to a missing row. */
export const isForeignKeyError = (error: unknown): boolean =>
  hasCode(error, /^(SQLITE_CONSTRAINT_FOREIGNKEY|23503)$/);

/** Whether an error of PostgreSQL's driver says that the connection ended, or could not be made. */
export const isConnectionLost = (error: unknown): boolean =>
  hasCode(error, /^(08...|57P0.|25P03|ECONN\w+|EPIPE|ETIMEDOUT|ENOENT|EMFILE|ENFILE)$/) ||
  codesOf(error).some(({ message }) =>
    /^(Connection terminated|timeout exceeded|Query read timeout|Client has encountered|Client was closed)/.test(
      message,
    ),
  );

/** PostgreSQL cannot be reached, or did not answer. */
export class StoreUnreachable extends Error {
  readonly code = "08006";
}

/** Returns a driver's error as `StoreUnreachable` if it is one: its own code could come from any connection. */
export const asStoreError = (error: unknown): unknown =>
  isConnectionLost(error) ? new StoreUnreachable("PostgreSQL cannot be reached.", { cause: error }) : error;

/** Whether another process has the lock, or the store cannot be reached: a retry may work. */
export const isBusy = (error: unknown): boolean =>
  hasCode(error, /^(SQLITE_(BUSY|LOCKED|PROTOCOL)|55P03|57014|40P01|40001|08...|57P0.|25P03)/) ||
  (error instanceof DrizzleQueryError && isConnectionLost(error));

/** Whether PostgreSQL refused a statement because an earlier one of the transaction had failed. */
export const isAborted = (error: unknown): boolean => hasCode(error, /^25P02$/);

/** Whether the disk is full. */
export const isDiskFull = (error: unknown): boolean =>
  hasCode(error, /^(SQLITE_FULL|SQLITE_IOERR_SHMSIZE|ENOSPC|EDQUOT|53100)$/);

/** Whether the file is not a valid SQLite database. */
export const isDamaged = (error: unknown): boolean => hasCode(error, /^SQLITE_(NOTADB|CORRUPT)/);

/** Whether this account may not open or write the file. */
export const isForbidden = (error: unknown): boolean => hasCode(error, /^SQLITE_(CANTOPEN|READONLY|PERM)/);

/** Returns the `AppError` for a busy or full database, or undefined. */
export function asUnavailable(error: unknown): AppError | undefined {
  if (isBusy(error) || isAborted(error))
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
