import { isPostgres } from "../../src/server/database/schema/store.ts";

/** SQL of a field of a JSON object in a column of text. */
export const jsonFieldSql = (column: string, name: string): string =>
  isPostgres ? `(${column}::json ->> '${name}')` : `(${column} ->> '${name}')`;
