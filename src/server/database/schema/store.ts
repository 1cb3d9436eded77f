export const isPostgresUrl = (url: string): boolean => /^postgres(ql)?:/.test(url);

/**
 * Whether the store of this process is PostgreSQL, as `DATABASE_URL` says, and not a SQLite file. Tables and queries are made for one of
 * them when their modules load.
 */
export const isPostgres = isPostgresUrl(process.env.DATABASE_URL ?? "");
