import type { DBSchema, IDBPObjectStore } from "idb";
import { hasSignedOut } from "../../session/signed-out-accounts.ts";
import { databaseOpener } from "../../storage/database.ts";
import { putUnloadEntry, removeUnloadEntry, unloadEntries } from "./unload-entries.ts";

interface EntryKey {
  account: string;
  client: string;
  /** Milliseconds since 1970. */
  changedAt: number;
}

/** The storage of entries. Each call can fail: storage can be full, forbidden or broken. */
export interface JournalStore<Entry extends EntryKey, Waiting extends Pick<EntryKey, "account">> {
  /** Sorted, the last changed first. */
  all(account: string): Promise<Entry[]>;
  put(entry: Entry): Promise<void>;
  /** Stores an entry at once, without its files, until it is put. For a page that may be closing. */
  putAtUnload(entry: Entry): void;
  remove(account: string, client: string): Promise<void>;
  /** Returns texts stored without an editor. */
  waiting(account: string): Promise<Waiting[]>;
  putWaiting(entry: Waiting): Promise<void>;
  removeWaiting(account: string, blogId: string): Promise<void>;
  clear(account: string): Promise<void>;
}

interface Journals extends DBSchema {
  drafts: { key: [account: string, client: string]; value: EntryKey };
  /** Texts stored without an editor: shared by another program, or from releases without working copies. */
  blogs: { key: [account: string, blogId: string]; value: Pick<EntryKey, "account"> };
}

const open = databaseOpener<Journals>("reprise-journal", 2, (database, before) => {
  if (before < 1) database.createObjectStore("blogs", { keyPath: ["account", "blogId"] });
  database.createObjectStore("drafts", { keyPath: ["account", "client"] });
});

type StoreName = "drafts" | "blogs";

/** Changes a store. Resolves when the data is on the disk. */
async function change<Name extends StoreName>(
  name: Name,
  by: (store: IDBPObjectStore<Journals, [Name], Name, "readwrite">) => Promise<unknown>,
): Promise<void> {
  const transaction = (await open()).transaction(name, "readwrite", { durability: "strict" });
  const changed = by(transaction.store);
  transaction.commit();
  await Promise.all([changed, transaction.done]);
}

/** Moves what closing pages stored at once to the journal, with the files of their older entries. */
async function takeUnloadEntries(account: string): Promise<void> {
  for (const entry of unloadEntries(account)) {
    const { store, done } = (await open()).transaction("drafts", "readwrite", { durability: "strict" });
    const before = await store.get([account, entry.client]);
    if (!before || before.changedAt < entry.changedAt)
      await store.put({ file: null, ...before, ...entry } as EntryKey);
    await done;
    removeUnloadEntry(entry);
  }
}

const of = (account: string) => IDBKeyRange.bound([account], [account, []]);

/** Stores entries in IndexedDB, which does not know their types. */
export function deviceStore<
  Entry extends EntryKey = EntryKey,
  Waiting extends Pick<EntryKey, "account"> = EntryKey,
>(): JournalStore<Entry, Waiting> {
  return {
    async all(account) {
      // Those that fail are tried again.
      await takeUnloadEntries(account).catch(() => undefined);
      const entries = (await (await open()).getAll("drafts", of(account))) as Entry[];
      return entries.toSorted((one, other) => other.changedAt - one.changedAt);
    },
    async put(entry) {
      if (hasSignedOut(entry.account)) return;
      await change("drafts", (store) => store.put(entry));
      removeUnloadEntry(entry);
    },
    putAtUnload: putUnloadEntry,
    remove(account, client) {
      removeUnloadEntry({ account, client });
      return change("drafts", (store) => store.delete([account, client]));
    },
    async putWaiting(entry) {
      if (!hasSignedOut(entry.account)) await change("blogs", (store) => store.put(entry));
    },
    waiting: async (account) => (await (await open()).getAll("blogs", of(account))) as Waiting[],
    removeWaiting: (account, blogId) => change("blogs", (store) => store.delete([account, blogId])),
    async clear(account) {
      for (const { client } of unloadEntries(account)) removeUnloadEntry({ account, client });
      await change("drafts", (store) => store.delete(of(account)));
      await change("blogs", (store) => store.delete(of(account)));
    },
  };
}
