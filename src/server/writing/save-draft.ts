import type { Node } from "prosemirror-model";
import type { SavedBlog, Schedule } from "../../shared/blogs.ts";
import type { DraftFields } from "../../shared/drafts.ts";
import type { MemberContext } from "../context.ts";
import type { Transaction } from "../database/writer.ts";
import { addressTopic } from "../live/signals.ts";
import { nextAddress } from "../blogs/address.ts";
import { commitOfSite, documentOf, touchUnpublished } from "./commits.ts";
import { beginningOf } from "./draft-document.ts";
import { nameOf } from "./draft-fields.ts";
import { picturesIn, storeDraftPictures } from "./draft-pictures.ts";
import { draftOf, updateDraft, type DraftHead } from "./queries.ts";
import { markSaved } from "./drafts.ts";
import { publishDraftChange } from "../blogs/events.ts";
import { unpublish } from "./publish.ts";
import { blogFactsById, type BlogFacts } from "../blogs/queries.ts";
import { answerOf } from "./saved-answer.ts";
import { updateSchedule } from "./schedule.ts";
import { scheduleOf } from "./schedule-queries.ts";

/** What saving a draft changes; what is missing stays. */
export interface DraftChange {
  change: Partial<DraftFields>;
  document?: Node | undefined;
  slug?: string | undefined;
  /** Whether a slug that was made from the title follows it. */
  namesAgain?: boolean;
  /** The title that gives the slug; null if someone chose it, undefined if it stays. */
  namedFor?: string | null | undefined;
  schedule?: Schedule | null | undefined;
  /** Pictures of other sites that became links. */
  links?: number;
}

/**
 * Stores a draft as saved, with its address and time. A published blog becomes a draft: it keeps what its draft says. Throws
 * `conflict` for a taken address, `bad_request` for an impossible time.
 */
export async function saveDraft(
  ctx: MemberContext,
  tx: Transaction,
  blog: BlogFacts,
  row: DraftHead,
  { change, document, slug: requestedSlug, namesAgain = false, namedFor, ...saved }: DraftChange,
): Promise<SavedBlog> {
  const { id } = blog;
  const next = document ?? (await documentOf(ctx, tx, row));
  if (!blog.draft) {
    await unpublish(tx, ctx, blog);
    await updateDraft(tx, id, beginningOf(next));
    await storeDraftPictures(tx, id, [...picturesIn(next), change.coverId ?? row.fields.coverId]);
  }
  const latest = { ...row, ...(await draftOf(tx, id)) };
  const title = change.title ?? nameOf(row);
  const slug = await nextAddress(tx, { ...blog, draft: true }, requestedSlug, { title, isMade: namesAgain });
  if (slug !== blog.slug) tx.signal(addressTopic(slug));
  const planned = await scheduleOf(tx, id);
  const schedule = await updateSchedule(tx, { ...blog, draft: true }, planned, saved.schedule);
  const seq = await commitOfSite(ctx, tx, latest, next, change);
  // A commit does the same.
  if (seq === latest.seq) await touchUnpublished(tx, id);
  await publishDraftChange(tx, blog.authorId, id);
  await markSaved(tx, { ...latest, seq }, seq, namedFor === undefined ? {} : { namedFor });
  const { etag, authorPrivate, private: isPrivate } = (await blogFactsById(tx, id, null))!;
  const owner = blog.authorId === ctx.viewer.id ? null : blog.authorName;
  const after = { id, draft: true, private: isPrivate, authorPrivate };
  return answerOf(after, etag, slug, saved.links ?? 0, schedule, !blog.draft, owner);
}
