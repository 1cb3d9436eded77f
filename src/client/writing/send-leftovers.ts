import { blogIntentOf, toFormFields } from "./draft-fields.ts";
import { isGone } from "./draft-server.ts";
import { latestFields } from "./draft.ts";
import type { EditorCode, SessionDependencies, StoredDraft } from "./draft.ts";
import { DraftLocks } from "./find-draft.ts";
import type { DraftFinder } from "./find-draft.ts";
import { HeadlessDraft } from "./headless-draft.ts";
import { contentToKeep, keepAsNewDraft } from "./keep-as-new-draft.ts";

/**
 * Sends what closed tabs could not send. A chosen cover stays until its form is opened. `open` is this page's client. Returns a
 * new draft of what no longer fitted, if there was any. Does not throw: what cannot be sent stays for the next time.
 */
export async function sendLeftovers(
  account: string,
  dependencies: SessionDependencies,
  code: EditorCode,
  finder: DraftFinder,
  open: string,
): Promise<{ slug: string | null } | undefined> {
  let kept: { slug: string | null } | undefined;
  for (const { client } of await dependencies.store.all(account).catch((): StoredDraft[] => [])) {
    if (client === open) continue;
    const locks = new DraftLocks(dependencies.claim);
    // The tab that has it open sends it.
    if (!(await locks.acquire(client))) continue;
    try {
      const stored = await finder.readLocked(client, locks);
      if (stored) kept = (await sendStored(stored, dependencies, code)) ?? kept;
    } catch {
      // It stays for the next time.
    } finally {
      locks.release();
    }
  }
  return kept;
}

async function sendStored(
  stored: StoredDraft,
  dependencies: SessionDependencies,
  code: EditorCode,
): Promise<{ slug: string | null } | undefined> {
  const { api, store } = dependencies;
  const { account, client, blogId, file, pictures, isShared = false } = stored;
  const draft = new HeadlessDraft(account, stored, api, code);
  await draft.push();
  const now = draft.current();
  if (draft.isSaved) {
    if (file || pictures.length > 0) await store.put({ ...stored, ...now });
    else await store.remove(account, client);
    return undefined;
  }
  const { name } = draft.state;
  const isRemoved = isShared && (name === "ended" || name === "gone");
  if (!isRemoved && name !== "lost" && !(name === "gone" && (await isGone(api, blogId)))) return undefined;
  const content = {
    ...toFormFields(latestFields(now), now.cover, blogIntentOf(now)),
    document: draft.document,
  };
  const kept = contentToKeep(content, isShared, now.document);
  return keepAsNewDraft(
    { account, draft: now, extras: { file: isShared ? null : file, pictures: [] }, content: () => kept },
    dependencies,
    code,
  );
}
