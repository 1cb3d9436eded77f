import Sqlite from "better-sqlite3";
import answer from "../../src/server/workers/reader.ts";

/* The entry of the search thread, which also returns how many statements it has prepared. */

let prepared = 0;
const { prepare } = Sqlite.prototype;
Sqlite.prototype.prepare = function (this: Sqlite.Database, source: string) {
  prepared++;
  return prepare.call(this, source);
} as typeof prepare;

export default (asked: Parameters<typeof answer>[0] | { name: "prepared" }) =>
  asked.name === "prepared" ? { value: prepared } : answer(asked);
