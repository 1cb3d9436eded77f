import { emptyDocument } from "../../shared/document/empty-document.ts";
import type { NodeJson } from "../../shared/document/schema.ts";
import { newId } from "../api/ids.ts";
import { blogIntentOf, sameFields, toFormFields } from "./draft-fields.ts";
import type { BlogFields } from "./draft-fields.ts";
import { emptyDraft, firstPosition } from "./find-draft.ts";
import { HeadlessDraft } from "./headless-draft.ts";
import type { Draft, EditorCode, FormExtras, Removal, SessionDependencies, StoredDraft } from "./draft.ts";
import type { OpenDraft } from "./open-draft.ts";

const blocksOf = ({ content = [] }: NodeJson): NodeJson[] => content;

/** Returns the blocks missing in another text, whole even if one word differs. */
function unsentBlocks(now: NodeJson, other: NodeJson): NodeJson[] {
  const known = new Set(blocksOf(other).map((block) => JSON.stringify(block)));
  return blocksOf(now).filter((block) => !known.has(JSON.stringify(block)));
}

/**
 * Returns an empty draft for what no longer fits into a page's draft. It is stored in place of that, and its blog's id is made from
 * the page's name, so that a retry makes one blog.
 */
export function newDraftInPlaceOf({ blogId, at: { client } }: Draft): Draft {
  return emptyDraft(blogId === client ? newId() : client, firstPosition(client));
}

/**
 * Returns what a new draft gets of a draft's content. Of a blog by others these are the blocks that `theirs` lacks, without the
 * cover.
 */
export function contentToKeep(content: BlogFields, isShared: boolean, theirs: NodeJson): BlogFields {
  const kept = { ...content, address: "", draft: true, later: null };
  if (!isShared) return kept;
  const blocks = unsentBlocks(content.document, theirs);
  const document = blocks.length > 0 ? { ...content.document, content: blocks } : emptyDocument();
  return { ...kept, document, cover: null };
}

/** Changes that no longer fit into a draft. */
interface Unfitting {
  account: string;
  draft: Draft;
  extras: Pick<FormExtras, "file" | "pictures">;
  /** Returns the content to keep, which may change while it is sent. */
  content: () => BlogFields;
}

/**
 * Stores and sends changes that no longer fit as a new draft: their blog is deleted, the viewer removed from it, or its history
 * lost. Returns the new draft's slug, null before the server has it. Returns undefined if neither this device nor the server
 * keeps the changes. The caller holds the lock of the page's name.
 */
export async function keepAsNewDraft(
  { account, draft: before, extras, content }: Unfitting,
  { api, store }: Pick<SessionDependencies, "api" | "store">,
  code: EditorCode,
): Promise<{ slug: string | null } | undefined> {
  const draft = newDraftInPlaceOf(before);
  const kept = new HeadlessDraft(account, draft, api, code);
  const { client } = draft.at;
  const hasFiles = extras.file !== null || extras.pictures.length > 0;
  const storeNow = (): Promise<boolean> => {
    const now: StoredDraft = { ...kept.current(), ...extras, account, client, changedAt: Date.now() };
    return store.put(now).then(
      () => true,
      () => false,
    );
  };
  let slug: string | null = null;
  for (let words = content(); ; words = content()) {
    kept.set(words);
    const isStored = await storeNow();
    slug ??= await kept.begin().catch(() => null);
    await kept.push();
    if (!kept.isSaved && !isStored) return undefined;
    // What was typed meanwhile is sent as well.
    if (!sameFields(words, content())) continue;
    if (!kept.isSaved) return { slug };
    if (hasFiles) await storeNow();
    else await store.remove(account, client).catch(() => undefined);
    return { slug };
  }
}

/**
 * Keeps what an open draft has and the server's version, `theirs`, lacks, if anything. Then the open draft ends, and another one
 * has to be shown.
 */
export async function keepUnfitting(
  open: OpenDraft,
  theirs: Draft | null,
  dependencies: Pick<SessionDependencies, "api" | "store">,
  code: EditorCode,
): Promise<Exclude<Removal["kept"], "soon">> {
  if (theirs && !open.isRemoved ? !hasOtherContent(open, theirs) : open.isSaved) return "nothing";
  const isShared = open.draft.isShared === true;
  const document = theirs?.document ?? open.current().draft.document;
  const { file, pictures } = open.extras();
  const kept = await keepAsNewDraft(
    {
      account: open.account,
      draft: open.draft,
      extras: { file: isShared ? null : file, pictures },
      content: () => contentToKeep(open.all(), isShared, document),
    },
    dependencies,
    code,
  );
  if (!kept) return "nowhere";
  // What it had stored is the new draft's.
  open.detach();
  open.locks.release();
  return kept;
}

/** Whether a draft has other content than the server's version, which this page did not get by commits. */
function hasOtherContent(open: OpenDraft, theirs: Draft): boolean {
  if (open.fitsEpoch(theirs.at.epoch)) return false;
  const { document, fields, cover } = theirs;
  return !sameFields(open.all(), { ...toFormFields(fields, cover, blogIntentOf(theirs)), document });
}
