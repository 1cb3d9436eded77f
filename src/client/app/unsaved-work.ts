import { pause } from "../api/retry.ts";
import { countDrafts, deleteDrafts } from "../comments/drafts.ts";
import { draftStore } from "../writing/draft-store.ts";
import { clearQueue, queuedBy } from "../live/mutations/offline-queue.ts";
import { forgetUpload } from "../profiles/profile-picture-upload.ts";

/** Counts of a person's unsent things on this device. */
interface UnsavedWork {
  blogs: number;
  /** Comments, likes and saves in the offline queue. */
  waiting: number;
  /** Comment drafts. */
  drafts: number;
}

const isEmpty = ({ blogs, waiting, drafts }: UnsavedWork): boolean => blogs + waiting + drafts === 0;

const zeroOnError = (length: Promise<number>): Promise<number> => length.catch(() => 0);

async function count(account: string): Promise<UnsavedWork> {
  const [blogs, waiting] = await Promise.all([
    zeroOnError(draftStore.all(account).then(({ length }) => length)),
    zeroOnError(queuedBy(account).then(({ length }) => length)),
  ]);
  return { blogs, waiting, drafts: countDrafts(account) };
}

/** Milliseconds to wait for pending requests. */
const pendingWaitMs = 1_500;

/** Returns the counts of what the server does not have, or null. Waits a moment for pending requests. */
export async function unsavedWork(account: string): Promise<UnsavedWork | null> {
  const end = performance.now() + pendingWaitMs;
  for (;;) {
    const work = await count(account);
    if (isEmpty(work)) return null;
    const mayArrive = navigator.onLine && work.blogs + work.waiting > 0;
    if (!mayArrive || performance.now() > end) return work;
    await pause(100);
  }
}

/** Deletes a person's unsent work on this device. */
export async function deleteUnsavedWork(account: string): Promise<void> {
  deleteDrafts(account);
  forgetUpload(account);
  await draftStore.clear(account);
  await clearQueue(account);
}
