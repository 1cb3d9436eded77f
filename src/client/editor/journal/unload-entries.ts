import { hasSignedOut } from "../../session/signed-out-accounts.ts";

/*
 * Entries of pages that close before IndexedDB has their last words: only local storage is written at once. The next page moves
 * them to the journal.
 */

/** Characters of an entry's JSON: a browser stores about five million in all. */
const maxLength = 1_000_000;
const prefixOf = (account: string): string => `reprise:journal:${account}:`;

interface EntryKey {
  account: string;
  client: string;
  /** Milliseconds since 1970. */
  changedAt: number;
}

/** Stores an entry at once, without its files. */
export function putUnloadEntry(entry: EntryKey): void {
  if (hasSignedOut(entry.account)) return;
  try {
    const json = JSON.stringify(entry, (_name, value: unknown) =>
      value instanceof Blob ? undefined : value,
    );
    if (json.length <= maxLength) localStorage.setItem(prefixOf(entry.account) + entry.client, json);
  } catch {
    // Storage is full or forbidden: the journal may still store it.
  }
}

/** Removes an entry unless it is newer. */
export function removeUnloadEntry({
  account,
  client,
  changedAt = Infinity,
}: Pick<EntryKey, "account" | "client"> & { changedAt?: number }): void {
  try {
    const name = prefixOf(account) + client;
    const json = localStorage.getItem(name);
    if (json !== null && (JSON.parse(json) as EntryKey).changedAt <= changedAt) localStorage.removeItem(name);
  } catch {
    // Storage is forbidden.
  }
}

/** Returns the entries of an account, without broken ones. */
export function unloadEntries(account: string): EntryKey[] {
  const entries: EntryKey[] = [];
  try {
    for (const name of Object.keys(localStorage)) {
      if (!name.startsWith(prefixOf(account))) continue;
      const entry = JSON.parse(localStorage.getItem(name) ?? "null") as EntryKey | null;
      if (entry?.account === account) entries.push(entry);
    }
  } catch {
    // Storage is forbidden, or another program wrote there.
  }
  return entries;
}
