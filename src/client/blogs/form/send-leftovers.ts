import { emptyDocument } from "../../../shared/document/schema.ts";
import type { NodeJson } from "../../../shared/document/schema.ts";
import { errorCode } from "../../api/errors.ts";
import type { SyncState, DraftSync } from "../../editor/sync/sync.ts";
import type { SyncedText } from "../../editor/sync/text.ts";
import { firstCommit, WorkLocks } from "./working-copy-finder.ts";
import type { WorkingCopyFinder } from "./working-copy-finder.ts";
import { createDraftServer } from "./draft-server.ts";
import { unsentBlocks } from "./unsent.ts";
import { newDraftFields } from "./blog-fields.ts";
import type { EditorCode, StoredWork, SessionDependencies } from "./working-copy.ts";

/**
 * Sends what closed tabs could not send. What the server cannot take (a chosen cover, conflicts) stays until its form is
 * opened. `open` is this page's client. Returns whether anything arrived.
 */
export async function sendLeftovers(
  account: string,
  dependencies: SessionDependencies,
  code: EditorCode,
  finder: WorkingCopyFinder,
  open: string,
): Promise<boolean> {
  let hasSent = false;
  for (const { client } of await dependencies.store.all(account).catch((): StoredWork[] => [])) {
    if (client === open) continue;
    const locks = new WorkLocks(dependencies.claim);
    // The tab that has it open sends it.
    if (!(await locks.acquire(client))) continue;
    try {
      const entry = await finder.readLocked(client, locks);
      if (entry && (await sendEntry(entry, dependencies, code))) hasSent = true;
    } catch {
      // It stays for the next time.
    } finally {
      locks.release();
    }
  }
  return hasSent;
}

async function sendEntry(
  entry: StoredWork,
  { api, store }: SessionDependencies,
  code: EditorCode,
): Promise<boolean> {
  const sent = await send(entry, api, code);
  if (sent.sync.isSaved) return removeSent(entry, sent, store);
  const { name } = sent.state;
  const isRemoved = entry.isShared && (name === "ended" || name === "gone");
  if (!isRemoved && !(name === "gone" && (await isGone(api, entry.blogId)))) return false;
  // The blog was deleted, or the author removed: the changes become a new draft, whose id stays the same on retries. Of a blog
  // by others, only changed blocks are copied.
  const text = sent.text.state().doc.toJSON() as NodeJson;
  const unsentText = { ...text, content: unsentBlocks(text, sent.sync.confirmed().document) };
  const draft: StoredWork = {
    ...entry,
    blogId: entry.client,
    isNew: true,
    isUnsaved: true,
    guessedLanguage: "",
    isShared: false,
    document: code.normalDocument(emptyDocument()),
    fields: newDraftFields(),
    at: {
      ...entry.at,
      epoch: "",
      seq: firstCommit,
      number: 1,
      steps: [],
      fields: {
        ...sent.sync.fields,
        ...(isRemoved && { coverId: null }),
        address: "",
        restores: null,
      },
      underway: null,
    },
    since: firstCommit,
  };
  const sentDraft = await send(draft, api, code, isRemoved ? unsentText : text);
  return sentDraft.sync.isSaved && removeSent(draft, sentDraft, store);
}

interface Sent {
  sync: DraftSync;
  text: SyncedText;
  state: SyncState;
}

/** Sends unconfirmed changes, with the text replaced by `replacement` if given. */
async function send(
  work: StoredWork,
  api: SessionDependencies["api"],
  code: EditorCode,
  replacement?: NodeJson,
): Promise<Sent> {
  const { account, blogId: id, document, fields, at } = work;
  const text = code.headless(document, at);
  if (replacement?.content?.length) code.replace(text, replacement);
  let state: SyncState = { name: "saved" };
  const sync = new code.Sync({
    id,
    account,
    document,
    fields,
    at,
    text,
    server: createDraftServer(api, work),
    onFields: () => undefined,
    onState: (now) => {
      state = now;
    },
  });
  await sync.push();
  return { sync, text, state };
}

/** Removes an entry that was sent, but keeps its files. */
async function removeSent(
  entry: StoredWork,
  { sync }: Sent,
  store: SessionDependencies["store"],
): Promise<true> {
  const { account, client, file, pictures } = entry;
  if (file || pictures.length > 0) await store.put({ ...entry, ...sync.confirmed(), at: sync.unconfirmed() });
  else await store.remove(account, client);
  return true;
}

/** Whether a blog is deleted, not just hidden from the account signed in now. */
export const isGone = (api: SessionDependencies["api"], id: string): Promise<boolean> =>
  api.open({ id }).then(
    () => false,
    (error: unknown) => errorCode(error) === "NOT_FOUND",
  );
