import type { Connection } from "../../src/server/database/connection.ts";

/** Returns the rows of a statement without waiting, which SQLite can. */
export const rowsAtOnce = <Row>({ drizzle }: Connection, statement: string): Row[] =>
  (drizzle as unknown as { all(query: string): Row[] }).all(statement);
