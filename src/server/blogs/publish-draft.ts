import type { z } from "zod";
import { BlogUpdate, type SavedBlog } from "../../shared/blogs.ts";
import { hasVisibleText } from "../../shared/plain-text.ts";
import type { MemberContext } from "../context.ts";
import { fromVersion, type Precondition } from "./precondition.ts";
import { updateBlog, type SaveOptions } from "./service.ts";
import { untitled } from "./saved-form.ts";
import { blogAndDraft, retryIfChanged, saveValidParts, titleMissing } from "./draft-save.ts";

/**
 * Publishes a draft as it was last typed. Fields that are refused, such as a half-typed address, keep their last valid values.
 * Throws `bad_request` without a title or for an invalid text.
 */
export async function publishDraft(
  ctx: MemberContext,
  { id }: { id: string },
  condition?: Precondition,
  options: SaveOptions = {},
): Promise<SavedBlog> {
  return retryIfChanged(async () => {
    const { blog, row } = await blogAndDraft(ctx, id);
    if (!row || !blog.draft) return updateBlog(ctx, { id, draft: false }, condition, options);
    if (condition && !condition.holds(blog)) throw condition.refusal();
    const { title } = row.fields;
    // Its last valid title may be the one of a draft without a title.
    const isRefused = !BlogUpdate.shape.title.safeParse(title).success;
    if (!hasVisibleText(title) || (isRefused && blog.title === untitled)) throw titleMissing();
    return saveValidParts(ctx, { blog, row }, { draft: false, schedule: null }, options.also);
  });
}

/** Updates the given fields. Publishing a draft, without other changes, publishes its draft. */
export async function updateOrPublish(
  ctx: MemberContext,
  input: z.output<typeof BlogUpdate>,
  condition?: Precondition,
  options: SaveOptions = {},
): Promise<SavedBlog> {
  const { id, draft, version: _version, ...changes } = input;
  const publishesOnly = draft === false && Object.values(changes).every((value) => value === undefined);
  return publishesOnly
    ? publishDraft(ctx, { id }, condition, options)
    : updateBlog(ctx, input, condition, options);
}

/**
 * Saves the site's form. A text requires the version it was based on: older pages send none and would overwrite unseen changes.
 */
export const saveForm = (ctx: MemberContext, input: z.output<typeof BlogUpdate>): Promise<SavedBlog> =>
  updateOrPublish(
    ctx,
    input,
    input.version === undefined && input.document === undefined ? undefined : fromVersion(input.version),
  );
