import type { Waiting } from "./own.ts";
import { FLAG, isFlagged } from "./waiting.ts";

/*
 * Acts that wait for an answer, in IndexedDB: they outlive their tab. The server knows each by its own id or wanted state,
 * so that one that was answered unheard does nothing twice.
 */

interface Entry extends Waiting {
  at: number;
}

const STORE = "acts";
/** What nobody came back for in so long is dropped, and the oldest where there are too many. */
const KEPT_FOR = 30 * 24 * 60 * 60 * 1000;
const MOST = 100;

let opened: Promise<IDBDatabase> | undefined;

function open(): Promise<IDBDatabase> {
  opened ??= new Promise<IDBDatabase>((resolve, reject) => {
    const asked = indexedDB.open("reprise", 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(STORE, { keyPath: "id" });
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
  opened.catch(() => (opened = undefined));
  return opened;
}

/** One step at a time, in the order of their calls: what is taken away was put there before. */
let last: Promise<unknown> = Promise.resolve();

function inStore<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const step = async (): Promise<T> => {
    const transaction = (await open()).transaction(STORE, mode);
    const asked = act(transaction.objectStore(STORE));
    return new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(asked.result);
      transaction.onabort = () => reject(transaction.error ?? new Error("The browser keeps nothing."));
    });
  };
  const done = last.then(step);
  last = done.catch(() => undefined);
  return done;
}

const all = async (): Promise<Entry[]> =>
  (await inStore<Entry[]>("readonly", (store) => store.getAll() as IDBRequest<Entry[]>)).toSorted(
    (one, other) => one.at - other.at,
  );

/** How the entries that this tab has are let go of. */
const held = new Map<string, () => void>();

/** Has an entry done with by one tab: this one waits for the others. Where browsers know no locks each tab does it. */
function alone(id: string, act: () => Promise<void> | undefined): void {
  const done = new Promise<void>((resolve) => held.set(id, resolve));
  if (!("locks" in navigator)) return void act();
  void navigator.locks
    .request(`reprise:act:${id}`, async () => {
      await act();
      await done;
    })
    .catch(() => undefined);
}

function letGo(id: string): void {
  held.get(id)?.();
  held.delete(id);
}

/** Keeps an act until it is removed. */
export async function put(entry: Waiting): Promise<void> {
  if (held.has(entry.id)) return;
  localStorage.setItem(FLAG, "1");
  alone(entry.id, () => undefined);
  await inStore("readwrite", (store) => store.put({ ...entry, at: Date.now() } satisfies Entry));
  // Another value each time: the other tabs hear of it, and take it over should this one end.
  localStorage.setItem(FLAG, entry.id);
  for (const { id } of (await all()).slice(0, -MOST)) await remove(id);
}

export async function remove(id: string): Promise<void> {
  await inStore("readwrite", (store) => store.delete(id));
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
