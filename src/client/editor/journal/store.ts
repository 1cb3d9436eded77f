import type { JournalEntry, JournalStore } from "./journal.ts";

const DATABASE = "reprise-journal";
const STORE = "blogs";

/** The browser's own database. Opened with the first call, and again after it failed or was closed. */
export function deviceStore<Fields>(): JournalStore<Fields> {
  let opened: Promise<IDBDatabase> | undefined;
  const open = (): Promise<IDBDatabase> => {
    opened ??= openDatabase(() => (opened = undefined)).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  const run = async <T>(
    mode: IDBTransactionMode,
    work: (store: IDBObjectStore) => IDBRequest<T>,
  ): Promise<T> => {
    const database = await open();
    return new Promise((resolve, reject) => {
      // Strict: "saved" is said when it is on the disk, not when it is on its way there.
      const transaction = database.transaction(STORE, mode, {
        durability: mode === "readwrite" ? "strict" : "default",
      });
      const request = work(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error ?? new Error("The journal could not be written."));
      transaction.onerror = () => reject(transaction.error ?? new Error("The journal could not be written."));
      transaction.commit?.();
    });
  };
  return {
    get: (account, blogId) =>
      run<JournalEntry<Fields> | undefined>("readonly", (store) => store.get([account, blogId])),
    async all(account) {
      const range = IDBKeyRange.bound([account], [account, []]);
      const entries = await run<JournalEntry<Fields>[]>("readonly", (store) => store.getAll(range));
      return entries.toSorted((one, other) => other.changedAt - one.changedAt);
    },
    async put(entry) {
      await run("readwrite", (store) => store.put(entry));
    },
    async remove(account, blogId) {
      await run("readwrite", (store) => store.delete([account, blogId]));
    },
  };
}

function openDatabase(onClose: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () =>
      request.result.createObjectStore(STORE, { keyPath: ["account", "blogId"] });
    request.onerror = () => reject(request.error ?? new Error("The journal could not be opened."));
    request.onblocked = () => reject(new Error("The journal is open in an older tab."));
    request.onsuccess = () => {
      const database = request.result;
      // A newer tab may change the database: let it.
      database.onversionchange = () => {
        database.close();
        onClose();
      };
      database.onclose = onClose;
      resolve(database);
    };
  });
}

/**
 * Makes this tab the one that writes a blog, until the answer is called. Null where another tab does already; with `steal`
 * that tab loses it and hears so by `onLost`. Browsers without locks (plain http on a network) let every tab write.
 */
export async function claim(blogId: string, onLost: () => void, steal = false): Promise<(() => void) | null> {
  if (!("locks" in navigator)) return () => {};
  const lock = await ask(blogId, onLost, steal);
  if (lock) return lock;
  // The page before this one may just be letting go of it.
  await new Promise((resolve) => setTimeout(resolve, 200));
  return ask(blogId, onLost, false);
}

function ask(blogId: string, onLost: () => void, steal: boolean): Promise<(() => void) | null> {
  return new Promise((resolve) => {
    let held = false;
    navigator.locks
      .request(`reprise-blog-${blogId}`, steal ? { steal } : { ifAvailable: true }, (lock) => {
        if (!lock) {
          resolve(null);
          return undefined;
        }
        held = true;
        return new Promise<void>((release) => resolve(release));
      })
      .catch(() => {
        if (held) onLost();
        else resolve(() => {});
      });
  });
}
