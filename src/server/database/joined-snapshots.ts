import type { Connection, Database } from "./connection.ts";

interface Joined {
  opened: Promise<Connection>;
  /** Once it is open. */
  connection?: Connection;
  readers: number;
  end: () => void;
}

/**
 * Returns the database for one request. Snapshots that it takes while one is open, or in the same turn of the event loop, are the same one:
 * a page shows one moment, and opens a transaction once. What follows a write, or a statement that failed, gets another.
 */
export function joinSnapshots(database: Database): Database {
  let newest: Joined | undefined;
  const begin = (): Joined => {
    const opening = Promise.withResolvers<Connection>();
    const ending = Promise.withResolvers<void>();
    const joined: Joined = { opened: opening.promise, readers: 0, end: ending.resolve };
    const taken = database.snapshot((connection) => {
      opening.resolve((joined.connection = connection));
      return ending.promise;
    });
    // Its readers have what they read even if it cannot be ended.
    taken.catch(opening.reject);
    return joined;
  };
  /** Unless another read has joined it meanwhile. */
  const endUnused = (joined: Joined) => {
    if (joined.readers > 0) return;
    if (newest === joined) newest = undefined;
    joined.end();
  };
  return {
    ...database,
    snapshot: async (work, options) => {
      if (options?.alone) return database.snapshot(work, options);
      if (newest?.connection?.hasFailed) newest = undefined;
      const joined = (newest ??= begin());
      joined.readers++;
      try {
        return await work(await joined.opened);
      } finally {
        if (--joined.readers === 0) setImmediate(() => endUnused(joined));
      }
    },
    write: async (work) => {
      try {
        return await database.write(work);
      } finally {
        newest = undefined;
      }
    },
  };
}
