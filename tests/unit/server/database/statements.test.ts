import Sqlite from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { rowStatement, valueStatement } from "../../../../src/server/database/sqlite/statements.ts";

let sqlite: Sqlite.Database;
beforeEach(() => void (sqlite = new Sqlite(":memory:")));
afterEach(() => void sqlite.close());

test("prepares the same source once for each connection", () => {
  const statement = rowStatement<[number], { one: number }>(sqlite, "select ? as one");
  expect(rowStatement(sqlite, "select ? as one")).toBe(statement);
  const otherDatabase = new Sqlite(":memory:");
  expect(rowStatement(otherDatabase, "select ? as one")).not.toBe(statement);
  otherDatabase.close();
});

test("reads the same source as rows and as values", () => {
  const asRow = () => rowStatement<[number], { one: number }>(sqlite, "select ? as one").get(1);
  const asValue = () => valueStatement<[number], number>(sqlite, "select ? as one").get(1);
  expect([asRow(), asValue(), asRow()]).toEqual([{ one: 1 }, 1, { one: 1 }]);
});

test("forgets the statements of a connection that were not used for longest", () => {
  const used = rowStatement(sqlite, "select 'used'");
  const unused = rowStatement(sqlite, "select 'unused'");
  for (let number = 0; number < 150; number++) {
    rowStatement(sqlite, `select ${number}`);
    rowStatement(sqlite, "select 'used'");
  }
  expect(rowStatement(sqlite, "select 'used'")).toBe(used);
  expect(rowStatement(sqlite, "select 'unused'")).not.toBe(unused);
});
