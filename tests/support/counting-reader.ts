import Sqlite from "better-sqlite3";
import answer from "../../src/server/workers/reader.ts";

/* The entry of the search thread, which also returns how many statements it has prepared. */

let preparedCount = 0;
const { prepare } = Sqlite.prototype;
Sqlite.prototype.prepare = function (this: Sqlite.Database, source: string) {
  preparedCount++;
  return prepare.call(this, source);
} as typeof prepare;

export default (request: Parameters<typeof answer>[0] | { name: "prepared" }) =>
  request.name === "prepared" ? { value: preparedCount } : answer(request);
