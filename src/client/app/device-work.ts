import { pause } from "../api/retry.ts";
import { countDrafts, deleteDrafts } from "../comments/drafts.ts";
import { deviceStore } from "../editor/journal/store.ts";
import { clearQueue, queuedBy } from "../live/mutations/offline-queue.ts";
import { forgetPicture } from "../users/picture-upload.ts";

/** How many of a person's things are on this device alone. */
interface UnsavedWork {
  blogs: number;
  /** Comments, likes and saves that wait to be sent. */
  waiting: number;
  /** Comments that were begun. */
  drafts: number;
}

const isNone = ({ blogs, waiting, drafts }: UnsavedWork): boolean => blogs + waiting + drafts === 0;

/** Where storage is broken nothing is kept in it. */
const orNone = (counted: Promise<number>): Promise<number> => counted.catch(() => 0);

async function count(account: string): Promise<UnsavedWork> {
  const store = deviceStore();
  const [writings, begun, waiting] = await Promise.all([
    orNone(store.all(account).then(({ length }) => length)),
    orNone(store.waiting(account).then(({ length }) => length)),
    orNone(queuedBy(account).then(({ length }) => length)),
  ]);
  return { blogs: writings + begun, waiting, drafts: countDrafts(account) };
}

/** Milliseconds in which what is on its way may arrive. */
const patience = 1_500;

/** What of a person's work the server does not have, or null; what is on its way may arrive meanwhile. */
export async function unsavedWork(account: string): Promise<UnsavedWork | null> {
  const end = performance.now() + patience;
  for (;;) {
    const work = await count(account);
    if (isNone(work)) return null;
    const mayArrive = navigator.onLine && work.blogs + work.waiting > 0;
    if (!mayArrive || performance.now() > end) return work;
    await pause(100);
  }
}

/** Deletes all that a person wrote on this device and did not send. */
export async function deleteWork(account: string): Promise<void> {
  deleteDrafts(account);
  forgetPicture(account);
  await deviceStore().clear(account);
  await clearQueue(account);
}
