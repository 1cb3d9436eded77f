import type { z } from "zod";
import type { BlogUpdate, NewBlog, SavedBlog } from "../../shared/blogs.ts";
import { AppError } from "../../shared/errors.ts";
import type { MemberContext } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { addressTopic, blogTopic } from "../live/facts.ts";
import { noteUse } from "../media/queries.ts";
import { holdersAboutBlog } from "../notices/holder-queries.ts";
import { tellWithdrawn } from "../notices/telling.ts";
import { requireWriter } from "../users/access.ts";
import { userById } from "../users/queries.ts";
import { ownBlog } from "./access.ts";
import { newAddress, nextAddress } from "./address.ts";
import { compose, type Composed } from "./compose.ts";
import { searchableAtOnce } from "./index-job.ts";
import { fromVersion, type Condition } from "./condition.ts";
import { boundFirstDay } from "./first-day.ts";
import { requireCover, requireOwn, saidOfLinks, settlePictures } from "./pictures.ts";
import { cardById } from "./card-queries.ts";
import * as queries from "./queries.ts";
import { tellOfVisibility } from "./telling.ts";

/**
 * Publishes a blog, or keeps it as a draft. The same id again by the same author is a retry, which may bring what was
 * written meanwhile: it changes what was made then, unless that was changed since.
 */
export async function createBlog(
  ctx: MemberContext,
  input: z.output<typeof NewBlog>,
  when: { publishedAt?: number; source?: string } = {},
): Promise<SavedBlog> {
  // Before any picture is fetched for it.
  await requireWriter(ctx.database.read, ctx.viewer);
  const composed = await compose(ctx, input.document, (document) => settlePictures(ctx, document));
  if (!input.draft && !(await queries.blogFactsById(ctx.database.read, input.id, ctx.viewer.id)))
    await boundFirstDay(ctx, async () => composed.html);
  const made = await ctx.database.write(async (tx) => {
    await requireWriter(tx, ctx.viewer);
    const before = await queries.blogFactsById(tx, input.id, ctx.viewer.id);
    if (before && before.authorId !== ctx.viewer.id)
      throw new AppError("conflict", "That id is taken. Please try again.");
    if (before) return undefined;
    await requireCover(tx, ctx.viewer, input.coverId);
    const now = Date.now();
    const at = Math.min(when.publishedAt ?? now, now);
    const { pictureIds, links, ...stored } = composed;
    const { id, title, description, tags, coverId, draft } = input;
    const slug = await newAddress(tx, title, input.slug);
    await queries.insertBlog(tx, {
      ...stored,
      text: await searchableAtOnce(tx, id, composed.text),
      id,
      slug,
      title,
      description,
      tags,
      coverId,
      draft,
      private: input.private,
      authorId: ctx.viewer.id,
      createdAt: at,
      publishedAt: at,
    });
    await requireOwn(tx, ctx.viewer, pictureIds);
    await queries.setBlogPictures(tx, id, pictureIds);
    await noteUse(tx, [coverId, ...pictureIds], now);
    if (when.source) await queries.rememberImport(tx, ctx.viewer.id, when.source, id, now);
    tx.ring(addressTopic(slug));
    await tellOfVisibility(tx, ctx.viewer.id, id, null, await visibility(tx, ctx.viewer.id, input));
    return answerOf(input, 1, slug, links);
  });
  return made ?? updateBlog(ctx, input, fromVersion(1));
}

/**
 * What the site's own form saves. A text is taken on the version that it was written on alone: without one it comes from
 * a page that is older than this rule, and would overwrite what it never saw.
 */
export const saveForm = (ctx: MemberContext, input: z.output<typeof BlogUpdate>): Promise<SavedBlog> =>
  updateBlog(
    ctx,
    input,
    input.version === undefined && input.document === undefined ? undefined : fromVersion(input.version),
  );

/**
 * Changes what is given of a blog, where `condition` holds; a save that says what stands already changes nothing, and is
 * answered as the first was.
 */
export async function updateBlog(
  ctx: MemberContext,
  input: z.output<typeof BlogUpdate>,
  condition?: Condition,
): Promise<SavedBlog> {
  const known = await ownBlog(ctx.database.read, ctx.viewer, { id: input.id });
  await requireWriter(ctx.database.read, ctx.viewer);
  if ((input.draft ?? known.draft) !== known.draft || (input.private ?? known.private) !== known.private)
    await ctx.limits.take("visibility", ctx.viewer.id);
  const composed: Composed | undefined =
    input.document === undefined
      ? undefined
      : await compose(ctx, input.document, (document) => settlePictures(ctx, document));
  const links = composed?.links ?? 0;
  if (!(input.draft ?? known.draft)) {
    const html = () => queries.blogHtml(ctx.database.read, known.id);
    await boundFirstDay(ctx, async () => composed?.html ?? html(), known.draft ? undefined : html);
  }
  return ctx.database.write(async (tx) => {
    const blog = await ownBlog(tx, ctx.viewer, { id: input.id });
    await requireWriter(tx, ctx.viewer);
    const [row, body] = [
      await cardById(tx, blog.id, ctx.viewer.id),
      composed && (await queries.blogDocument(tx, blog.id)),
    ];
    const same = saysTheSame(input, { ...row, ...blog }) && composed?.document === body?.document;
    if (same && body?.html === composed?.html) return answerOf(blog, blog.version, blog.slug, links);
    if (!same && condition && !condition.holds(blog)) throw condition.refusal();
    const draft = input.draft ?? blog.draft;
    if (blog.hiddenFor !== null && !draft)
      throw new AppError(
        "forbidden",
        `Moderators took this blog back${blog.hiddenFor ? `: ${blog.hiddenFor}` : "."} It can be saved as a draft, and published once they let it.`,
      );
    const isPrivate = input.private ?? blog.private;
    const now = Date.now();
    const before = await queries.picturesOfBlog(tx, blog.id);
    if (input.coverId !== blog.coverId) await requireCover(tx, ctx.viewer, input.coverId ?? null);
    const { pictureIds, links: _links, ...stored } = composed ?? { pictureIds: undefined };
    const { title, description, tags, coverId } = input;
    const slug = await nextAddress(tx, blog, input);
    const given = Object.fromEntries(
      Object.entries({ title, description, tags, coverId, ...stored }).filter(
        ([, value]) => value !== undefined,
      ),
    );
    await queries.updateBlog(tx, blog.id, {
      ...given,
      text: await searchableAtOnce(tx, blog.id, composed?.text ?? (await queries.blogText(tx, blog.id))),
      draft,
      private: isPrivate,
      ...(blog.draft && blog.hiddenFor === null ? { publishedAt: now } : { editedAt: now }),
    });
    if (pictureIds) {
      await requireOwn(tx, ctx.viewer, pictureIds);
      await queries.setBlogPictures(tx, blog.id, pictureIds);
    }
    await noteUse(tx, [...before, coverId, ...(pictureIds ?? [])], now);
    await tx.fact(blogTopic(blog.id), { kind: "blog.edited" });
    if (slug !== blog.slug) tx.ring(addressTopic(slug));
    if (draft !== blog.draft || isPrivate !== blog.private || (title ?? blog.title) !== blog.title)
      await tellWithdrawn(tx, await holdersAboutBlog(tx, blog.id));
    await tellOfVisibility(
      tx,
      ctx.viewer.id,
      blog.id,
      blog,
      await visibility(tx, ctx.viewer.id, { draft, private: isPrivate }),
    );
    return answerOf({ id: blog.id, draft, private: isPrivate }, blog.version + 1, slug, links);
  });
}

const isSame = (given: unknown, stands: unknown) => JSON.stringify(given) === JSON.stringify(stands);

const ofForm = ["slug", "title", "description", "tags", "coverId", "draft", "private"] as const;
const saysTheSame = (
  given: z.output<typeof BlogUpdate>,
  stands: Partial<Record<(typeof ofForm)[number], unknown>>,
): boolean => ofForm.every((name) => given[name] === undefined || isSame(given[name], stands[name]));

const answerOf = (
  blog: { id: string; draft: boolean; private: boolean },
  version: number,
  slug: string,
  links: number,
): SavedBlog => ({ id: blog.id, slug, version, links, message: savedMessage(blog) + saidOfLinks(links) });

const savedMessage = (blog: { draft: boolean; private: boolean }) =>
  blog.draft
    ? "Draft saved."
    : blog.private
      ? "Published privately: your followers can read it."
      : "Your blog is published.";

async function visibility(
  tx: Connection,
  authorId: string,
  { draft, private: isPrivate }: { draft: boolean; private: boolean },
) {
  const author = await userById(tx, authorId);
  return { draft, private: isPrivate, authorPrivate: author?.private ?? true };
}
