import Sqlite from "better-sqlite3";
import pg from "pg";
import { isPostgres } from "../../src/server/database/schema/store.ts";

type Method = (this: unknown, ...parameters: unknown[]) => unknown;

/** Calls `onCall` before each call of the methods of a prototype, until the returned function is called. */
function watch(prototype: object, names: string[], onCall: (self: unknown, first: unknown) => void) {
  const methods = prototype as Record<string, Method>;
  const before = Object.fromEntries(
    names.map((name) => [name, Object.getOwnPropertyDescriptor(methods, name)!]),
  );
  for (const name of names) {
    const original = methods[name]!;
    methods[name] = function (...parameters) {
      onCall(this, parameters[0]);
      return original.apply(this, parameters);
    };
  }
  return () => void Object.defineProperties(methods, before);
}

/** Records the texts of the statements that this thread runs on its databases, until `stop` is called. */
export function recordStatements(): { texts: string[]; stop: () => void } {
  const texts: string[] = [];
  const stop = isPostgres
    ? watch(pg.Client.prototype, ["query"], (_client, query) => {
        const text = typeof query === "string" ? query : (query as { text: string }).text;
        // What SQLite needs no statement for.
        if (!/^(begin|commit|rollback|notify|listen)/i.test(text)) texts.push(text);
      })
    : watch(
        Object.getPrototypeOf(new Sqlite(":memory:").prepare("select 1")) as object,
        ["all", "get", "run", "iterate"],
        (statement) => texts.push((statement as Sqlite.Statement).source),
      );
  return { texts, stop };
}

/** Counts the statements that the databases of this thread run during `action`. */
export async function countStatements(action: () => Promise<unknown>): Promise<number> {
  const { texts, stop } = recordStatements();
  try {
    await action();
    return texts.length;
  } finally {
    stop();
  }
}
