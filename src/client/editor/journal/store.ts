import { hasLeft } from "../../session/left.ts";

const DATABASE = "reprise-journal";
/** What came without an editor; releases without working copies kept all that was not saved there. */
const WAITING = "blogs";
const STORE = "writings";

/** The least that an entry says: whose it is, and which page's. */
interface Keyed {
  account: string;
  client: string;
  /** Milliseconds since 1970. */
  changedAt: number;
}

/** Where entries are kept. Each call may fail: storage can be full, forbidden or broken. */
export interface JournalStore<Entry extends Keyed, Waiting extends Pick<Keyed, "account">> {
  /** All of an account, the last changed first. */
  all(account: string): Promise<Entry[]>;
  put(entry: Entry): Promise<void>;
  remove(account: string, client: string): Promise<void>;
  /** What waits for an editor. */
  waiting(account: string): Promise<Waiting[]>;
  putWaiting(entry: Waiting): Promise<void>;
  removeWaiting(account: string, blogId: string): Promise<void>;
  /** Removes all of an account. */
  clear(account: string): Promise<void>;
}

/** The browser's own database. Opened with the first call, and again after it failed or was closed. */
export function deviceStore<
  Entry extends Keyed = Keyed,
  Waiting extends Pick<Keyed, "account"> = Keyed,
>(): JournalStore<Entry, Waiting> {
  let opened: Promise<IDBDatabase> | undefined;
  const open = (): Promise<IDBDatabase> => {
    opened ??= openDatabase(() => (opened = undefined)).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  const run = async <T>(
    name: string,
    mode: IDBTransactionMode,
    work: (store: IDBObjectStore) => IDBRequest<T>,
  ): Promise<T> => {
    const database = await open();
    return new Promise((resolve, reject) => {
      // Strict: "saved" is said when it is on the disk, not when it is on its way there.
      const transaction = database.transaction(name, mode, {
        durability: mode === "readwrite" ? "strict" : "default",
      });
      const request = work(transaction.objectStore(name));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error ?? new Error("The journal could not be written."));
      transaction.onerror = () => reject(transaction.error ?? new Error("The journal could not be written."));
      transaction.commit?.();
    });
  };
  const of = (account: string) => IDBKeyRange.bound([account], [account, []]);
  return {
    async all(account) {
      const entries = await run<Entry[]>(STORE, "readonly", (store) => store.getAll(of(account)));
      return entries.toSorted((one, other) => other.changedAt - one.changedAt);
    },
    async put(entry) {
      if (hasLeft(entry.account)) return;
      await run(STORE, "readwrite", (store) => store.put(entry));
    },
    async remove(account, client) {
      await run(STORE, "readwrite", (store) => store.delete([account, client]));
    },
    async putWaiting(entry) {
      if (hasLeft(entry.account)) return;
      await run(WAITING, "readwrite", (store) => store.put(entry));
    },
    waiting: (account) => run<Waiting[]>(WAITING, "readonly", (store) => store.getAll(of(account))),
    async removeWaiting(account, blogId) {
      await run(WAITING, "readwrite", (store) => store.delete([account, blogId]));
    },
    async clear(account) {
      for (const name of [STORE, WAITING]) await run(name, "readwrite", (store) => store.delete(of(account)));
    },
  };
}

function openDatabase(onClose: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 2);
    request.onupgradeneeded = ({ oldVersion }) => {
      if (oldVersion < 1) request.result.createObjectStore(WAITING, { keyPath: ["account", "blogId"] });
      request.result.createObjectStore(STORE, { keyPath: ["account", "client"] });
    };
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
 * Makes this tab the one that has something under this name, until the answer is called. Null where another tab has it. Browsers
 * without locks (plain http on a network) let every tab have it.
 */
export async function claim(name: string): Promise<(() => void) | null> {
  if (!("locks" in navigator)) return () => {};
  const lock = await ask(name);
  if (lock) return lock;
  // The page before this one may just be letting go of it.
  await new Promise((resolve) => setTimeout(resolve, 200));
  return ask(name);
}

function ask(name: string): Promise<(() => void) | null> {
  return new Promise((resolve) => {
    navigator.locks
      .request(`reprise-writing-${name}`, { ifAvailable: true }, (lock) => {
        if (!lock) {
          resolve(null);
          return undefined;
        }
        return new Promise<void>((release) => resolve(release));
      })
      .catch(() => resolve(() => {}));
  });
}
