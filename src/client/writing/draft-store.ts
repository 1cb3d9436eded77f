import type { DBSchema, IDBPObjectStore } from "idb";
import { hasSignedOut } from "../session/signed-out-accounts.ts";
import { databaseOpener } from "../storage/database.ts";
import type { StoredDraft } from "./draft.ts";

/** The drafts of this device that the server does not have completely. Each call can fail: storage can be full, forbidden or broken. */
export interface DraftStore {
  /** Returns an account's drafts, the last changed first. */
  all(account: string): Promise<StoredDraft[]>;
  /** Stores a page's draft instead of its former one. Stores nothing for an account that has signed out here. */
  put(draft: StoredDraft): Promise<void>;
  remove(account: string, client: string): Promise<void>;
  /** Removes all of an account's drafts. */
  clear(account: string): Promise<void>;
}

interface Drafts extends DBSchema {
  drafts: { key: [account: string, client: string]; value: StoredDraft };
}

const open = databaseOpener<Drafts>("reprise-drafts", 1, (database) => {
  database.createObjectStore("drafts", { keyPath: ["account", "client"] });
});

/** Changes the store. Resolves when the data is on the disk. A change that has begun is finished though the page closes. */
async function change(
  by: (store: IDBPObjectStore<Drafts, ["drafts"], "drafts", "readwrite">) => Promise<unknown>,
): Promise<void> {
  const transaction = (await open()).transaction("drafts", "readwrite", { durability: "strict" });
  const changed = by(transaction.store);
  // Otherwise a browser commits once the page has read the result, which one that closes does not.
  transaction.commit();
  await Promise.all([changed, transaction.done]);
}

const of = (account: string) => IDBKeyRange.bound([account], [account, []]);

/** The drafts in IndexedDB. */
export const draftStore: DraftStore = {
  async all(account) {
    const drafts = await (await open()).getAll("drafts", of(account));
    return drafts.toSorted((one, other) => other.changedAt - one.changedAt);
  },
  async put(draft) {
    if (!hasSignedOut(draft.account)) await change((store) => store.put(draft));
  },
  remove: (account, client) => change((store) => store.delete([account, client])),
  clear: (account) => change((store) => store.delete(of(account))),
};
