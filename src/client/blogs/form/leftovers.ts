import { emptyDocument } from "../../../shared/document/schema.ts";
import type { NodeJson } from "../../../shared/document/schema.ts";
import { errorCode } from "../../api/errors.ts";
import type { SyncState, WritingSync } from "../../editor/sync/sync.ts";
import type { Text } from "../../editor/sync/text.ts";
import { firstCommit, Holds } from "./find-work.ts";
import type { WorkFinder } from "./find-work.ts";
import { serverOf } from "./server.ts";
import { unsentBlocks } from "./unsent.ts";
import { newFields } from "./values.ts";
import type { EditorCode, Entry, Surroundings, Work } from "./work.ts";

/**
 * Brings to the server what tabs that are closed by now could not send, without a screen. What is none of the server's business (a
 * cover that was chosen, what can't be put onto what stands) stays until its form is opened. `open` is the page's own. True where
 * something arrived.
 */
export async function bringLeftovers(
  account: string,
  around: Surroundings,
  code: EditorCode,
  finder: WorkFinder,
  open: string,
): Promise<boolean> {
  let some = false;
  for (const { client } of await around.store.all(account).catch((): Entry[] => [])) {
    if (client === open) continue;
    const holds = new Holds(around.claim);
    // Whoever has it open sends it.
    if (!(await holds.take(client))) continue;
    try {
      const entry = await finder.held(client, holds);
      if (entry && (await bring(entry, around, code))) some = true;
    } catch {
      // It stays, for the next time.
    } finally {
      holds.release();
    }
  }
  return some;
}

async function bring(entry: Entry, { api, store }: Surroundings, code: EditorCode): Promise<boolean> {
  const sent = await send(entry, api, code);
  if (sent.sync.isSaved) return tidy(entry, sent, store);
  const { name } = sent.state;
  const isRemoved = entry.isShared && (name === "ended" || name === "gone");
  if (!isRemoved && !(name === "gone" && (await isGone(api, entry.blogId)))) return false;
  // Its blog was deleted, or others write it without them. What was written is a new draft, under a name of its own that stays
  // however often this is tried; of what others wrote no more comes along than stands around it.
  const text = sent.text.state().doc.toJSON() as NodeJson;
  const own = { ...text, content: unsentBlocks(text, sent.sync.confirmed().document) };
  const draft: Entry = {
    ...entry,
    blogId: entry.client,
    isNew: true,
    isShared: false,
    document: code.normalDocument(emptyDocument()),
    fields: newFields(),
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
  const made = await send(draft, api, code, isRemoved ? own : text);
  return made.sync.isSaved && tidy(draft, made, store);
}

interface Sent {
  sync: WritingSync;
  text: Text;
  state: SyncState;
}

/** Sends what was written over a text, or what it is to say instead. */
async function send(
  work: Work,
  api: Surroundings["api"],
  code: EditorCode,
  instead?: NodeJson,
): Promise<Sent> {
  const { blogId: id, document, fields, at } = work;
  const text = code.headless(document, at);
  if (instead?.content?.length) code.replace(text, instead);
  let state: SyncState = { name: "saved" };
  const sync = new code.Sync({
    id,
    document,
    fields,
    at,
    text,
    server: serverOf(api, work),
    onFields: () => undefined,
    onState: (now) => {
      state = now;
    },
  });
  await sync.push();
  return { sync, text, state };
}

/** Keeps of it what the server has no part in. */
async function tidy(entry: Entry, { sync }: Sent, store: Surroundings["store"]): Promise<true> {
  const { account, client, file, pictures } = entry;
  if (file || pictures.length > 0) await store.put({ ...entry, ...sync.confirmed(), at: sync.unconfirmed() });
  else await store.remove(account, client);
  return true;
}

/** Whether a blog is deleted, and not just somebody else's than whoever is signed in by now. */
export const isGone = (api: Surroundings["api"], id: string): Promise<boolean> =>
  api.open({ id }).then(
    () => false,
    (error: unknown) => errorCode(error) === "NOT_FOUND",
  );
