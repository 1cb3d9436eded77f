import { openDB, type DBSchema, type IDBPDatabase, type OpenDBCallbacks } from "idb";

/**
 * Returns a function that opens an IndexedDB database, once, and again after it failed or was closed. It rejects if storage is
 * full, forbidden or broken.
 */
export function databaseOpener<Schema extends DBSchema>(
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
        // Lets a tab of a newer release upgrade the database.
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
