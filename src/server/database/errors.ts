/** True where a unique index refused a row, as better-sqlite3 says it; `column` narrows it, as `users.email`. */
export function isDuplicate(error: unknown, column?: string): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = (cause as { code?: unknown }).code;
    if (code === "SQLITE_CONSTRAINT_UNIQUE" || code === "SQLITE_CONSTRAINT_PRIMARYKEY")
      return column === undefined || cause.message.includes(column);
  }
  return false;
}

/** True where a row was to belong to one that is not there, as better-sqlite3 says it. */
export function isDangling(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ((cause as { code?: unknown }).code === "SQLITE_CONSTRAINT_FOREIGNKEY") return true;
  return false;
}
