import type { DBSchema } from "idb";
import { databaseOpener } from "../../storage/database.ts";
import { holdLock } from "../../storage/hold-lock.ts";
import { FLAG, isFlagged } from "./offline-queue-loader.ts";
import type { QueuedMutation } from "./optimistic-mutations.ts";

/*
 * Mutations without an answer, in IndexedDB, where they outlive their tab. The server knows each by its own id or by the wanted
 * state: sending one again whose answer was lost changes nothing.
 */

interface Entry extends QueuedMutation {
  at: number;
}

/** Entries older than this are dropped, and the oldest of more than so many. */
const MAX_AGE = 30 * 24 * 60 * 60 * 1000;
const MAX_ENTRIES = 100;

interface Schema extends DBSchema {
  mutations: { key: string; value: Entry };
}

const open = databaseOpener<Schema>("reprise-offline-queue", 1, (database) => {
  database.createObjectStore("mutations", { keyPath: "id" });
});

/** Returns all entries, oldest first. */
const all = async (): Promise<Entry[]> =>
  (await (await open()).getAll("mutations")).toSorted((one, other) => one.at - other.at);

/** The locks of this tab: the entries that it sends, and how to release each. */
const locks = new Map<string, AbortController>();

/** Locks an entry for this tab until `unlock`; calls `onLocked` once no other tab has it. */
function lock(id: string, onLocked: () => unknown): void {
  const end = new AbortController();
  locks.set(id, end);
  holdLock(`reprise:mutation:${id}`, end.signal, onLocked);
}

function unlock(id: string): void {
  locks.get(id)?.abort();
  locks.delete(id);
}

/** Stores a mutation until it is removed. */
export async function put(entry: QueuedMutation): Promise<void> {
  if (locks.has(entry.id)) return;
  localStorage.setItem(FLAG, "1");
  lock(entry.id, () => undefined);
  await (await open()).put("mutations", { ...entry, at: Date.now() });
  // A new value each time: the storage event makes other tabs wait for the lock, should this tab end.
  localStorage.setItem(FLAG, entry.id);
  for (const { id } of (await all()).slice(0, -MAX_ENTRIES)) await remove(id);
}

export async function remove(id: string): Promise<void> {
  await (await open()).delete("mutations", id);
  unlock(id);
  if ((await all()).length === 0) localStorage.removeItem(FLAG);
}

/** Returns a person's entries, oldest first. */
export const queuedBy = async (viewerId: string): Promise<QueuedMutation[]> =>
  isFlagged() ? (await all()).filter((one) => one.viewerId === viewerId) : [];

/** Removes a person's entries. */
export async function clearQueue(viewerId: string): Promise<void> {
  for (const { id } of await queuedBy(viewerId)) await remove(id);
}

/**
 * Calls `take` with each of a person's entries as soon as no other tab has it: `later` leaves it in the queue, `never` removes
 * it. Leaves out entries that this tab has already, unless the viewer has `changed`.
 */
export async function resume(
  viewerId: string,
  take: (entry: QueuedMutation) => Promise<"taken" | "later" | "never">,
  changed: boolean,
): Promise<void> {
  if (changed) for (const id of locks.keys()) unlock(id);
  for (const entry of await all()) {
    const { id } = entry;
    if (entry.at < Date.now() - MAX_AGE) await remove(id);
    else if (entry.viewerId === viewerId && !locks.has(id))
      lock(id, async () => {
        const isQueued = (await all()).some((one) => one.id === id);
        const outcome = isQueued ? await take(entry).catch(() => "later") : "later";
        if (outcome === "never") await remove(id);
        if (outcome === "later") unlock(id);
      });
  }
}
