import { openDB, type DBSchema, type IDBPDatabase, type OpenDBCallbacks } from "idb";

/**
 * Returns a function that opens a database of this browser, once for all its calls, and again after it failed or was closed. It
 * rejects where storage is full, forbidden or broken.
 */
export function databaseOf<Schema extends DBSchema>(
  name: string,
  version: number,
  upgrade: NonNullable<OpenDBCallbacks<Schema>["upgrade"]>,
): () => Promise<IDBPDatabase<Schema>> {
  let opened: Promise<IDBPDatabase<Schema>> | undefined;
  const forget = (): void => {
    opened = undefined;
  };
  const open = () =>
    new Promise<IDBPDatabase<Schema>>((resolve, reject) => {
      openDB<Schema>(name, version, {
        upgrade,
        blocked: () => reject(new Error(`An older tab has the database ${name} open.`)),
        // A tab of a newer release may change the database.
        blocking: (_from, _to, event) => {
          (event.target as IDBDatabase).close();
          forget();
        },
        terminated: forget,
      }).then(resolve, reject);
    });
  return () => {
    opened ??= open().catch((error: unknown) => {
      forget();
      throw error;
    });
    return opened;
  };
}
