import type { DBSchema } from "idb";
import { databaseOf } from "../storage/database.ts";
import { holdLock } from "../storage/hold-lock.ts";
import type { Waiting } from "./own.ts";
import { FLAG, isFlagged } from "./waiting.ts";

/*
 * Acts that wait for an answer, in IndexedDB: they outlive their tab. The server knows each by its own id or wanted state,
 * so that one that was answered unheard does nothing twice.
 */

interface Entry extends Waiting {
  at: number;
}

/** What nobody came back for in so long is dropped, and the oldest where there are too many. */
const KEPT_FOR = 30 * 24 * 60 * 60 * 1000;
const MOST = 100;

interface Acts extends DBSchema {
  acts: { key: string; value: Entry };
}

const open = databaseOf<Acts>("reprise", 1, (database) => {
  database.createObjectStore("acts", { keyPath: "id" });
});

/** The oldest first. */
const all = async (): Promise<Entry[]> =>
  (await (await open()).getAll("acts")).toSorted((one, other) => one.at - other.at);

/** The entries that this tab has, and what releases each. */
const held = new Map<string, AbortController>();

/** Waits until no other tab has an entry, then calls `begin`; this tab has it until `letGo`. */
function alone(id: string, begin: () => unknown): void {
  const end = new AbortController();
  held.set(id, end);
  holdLock(`reprise:act:${id}`, end.signal, begin);
}

function letGo(id: string): void {
  held.get(id)?.abort();
  held.delete(id);
}

/** Keeps an act until it is removed. */
export async function put(entry: Waiting): Promise<void> {
  if (held.has(entry.id)) return;
  localStorage.setItem(FLAG, "1");
  alone(entry.id, () => undefined);
  await (await open()).put("acts", { ...entry, at: Date.now() });
  // Another value each time: the other tabs hear of it, and take it over should this one end.
  localStorage.setItem(FLAG, entry.id);
  for (const { id } of (await all()).slice(0, -MOST)) await remove(id);
}

export async function remove(id: string): Promise<void> {
  await (await open()).delete("acts", id);
  letGo(id);
  if ((await all()).length === 0) localStorage.removeItem(FLAG);
}

/** What of a person's waits, the oldest first. */
export const waitingOf = async (viewerId: string): Promise<Waiting[]> =>
  isFlagged() ? (await all()).filter((one) => one.viewerId === viewerId) : [];

/** Removes all that waits of a person. */
export async function deleteWaiting(viewerId: string): Promise<void> {
  for (const { id } of await waitingOf(viewerId)) await remove(id);
}

/** Hands each of a person's entries to `take` as soon as no other tab has it; what is not taken stays for another time. What this tab has already is its own, unless it `begins` anew. */
export async function resume(
  viewerId: string,
  take: (entry: Waiting) => Promise<"taken" | "later" | "never">,
  begins: boolean,
): Promise<void> {
  // Whoever was here before does nothing more here.
  if (begins) for (const id of held.keys()) letGo(id);
  for (const entry of await all()) {
    const { id } = entry;
    if (entry.at < Date.now() - KEPT_FOR) await remove(id);
    else if (entry.viewerId === viewerId && !held.has(id))
      alone(id, async () => {
        const isThere = (await all()).some((one) => one.id === id);
        const taken = isThere ? await take(entry).catch(() => "later") : "later";
        if (taken === "never") await remove(id);
        if (taken === "later") letGo(id);
      });
  }
}
