import type { DBSchema, IDBPObjectStore } from "idb";
import { hasLeft } from "../../session/left.ts";
import { databaseOf } from "../../storage/database.ts";

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

interface Journals extends DBSchema {
  writings: { key: [account: string, client: string]; value: Keyed };
  /** What came without an editor; releases without working copies kept all that was not saved there. */
  blogs: { key: [account: string, blogId: string]; value: Pick<Keyed, "account"> };
}

const open = databaseOf<Journals>("reprise-journal", 2, (database, before) => {
  if (before < 1) database.createObjectStore("blogs", { keyPath: ["account", "blogId"] });
  database.createObjectStore("writings", { keyPath: ["account", "client"] });
});

type StoreName = "writings" | "blogs";

/** Changes a store. It is on the disk, and not on its way there, when this resolves. */
async function change<Name extends StoreName>(
  name: Name,
  by: (store: IDBPObjectStore<Journals, [Name], Name, "readwrite">) => Promise<unknown>,
): Promise<void> {
  const transaction = (await open()).transaction(name, "readwrite", { durability: "strict" });
  const changed = by(transaction.store);
  transaction.commit();
  await Promise.all([changed, transaction.done]);
}

const of = (account: string) => IDBKeyRange.bound([account], [account, []]);

/** Keeps entries in the browser's own database, which forgets their types. */
export function deviceStore<
  Entry extends Keyed = Keyed,
  Waiting extends Pick<Keyed, "account"> = Keyed,
>(): JournalStore<Entry, Waiting> {
  return {
    async all(account) {
      const entries = (await (await open()).getAll("writings", of(account))) as Entry[];
      return entries.toSorted((one, other) => other.changedAt - one.changedAt);
    },
    async put(entry) {
      if (!hasLeft(entry.account)) await change("writings", (store) => store.put(entry));
    },
    remove: (account, client) => change("writings", (store) => store.delete([account, client])),
    async putWaiting(entry) {
      if (!hasLeft(entry.account)) await change("blogs", (store) => store.put(entry));
    },
    waiting: async (account) => (await (await open()).getAll("blogs", of(account))) as Waiting[],
    removeWaiting: (account, blogId) => change("blogs", (store) => store.delete([account, blogId])),
    async clear(account) {
      await change("writings", (store) => store.delete(of(account)));
      await change("blogs", (store) => store.delete(of(account)));
    },
  };
}
