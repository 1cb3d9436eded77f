import { NewBlog, type SavedBlog } from "../../shared/blogs.ts";
import { searchLimits } from "../../shared/for-search.ts";
import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { noteAliases } from "../blogs/aliases.ts";
import { saidOfLinks } from "../blogs/pictures.ts";
import { fromVersion } from "../blogs/condition.ts";
import { createBlog, updateBlog, type From } from "../blogs/service.ts";
import type { MemberContext } from "../context.ts";
import { newId } from "../ids.ts";
import type { Connection } from "../database/connection.ts";
import { importedCoverTypes } from "../media/service.ts";
import { NewAccountLimitError } from "../users/new-account-limits.ts";
import { readyComments, takeComments } from "./comments.ts";
import { knownOf, type Known, type Place } from "./known.ts";
import { importedBlog, rememberImport, runById } from "./queries.ts";
import { some, type Said } from "./report.ts";
import { hashOf } from "./says.ts";
import { cutText, readText, takePicture, takeTags, type Reading } from "./text.ts";

/** What became of a post. */
export interface Outcome extends Said {
  as: "imported" | "changed" | "before" | "kept";
  /** Why it was left as it is here. */
  reason?: string;
}

export interface How {
  runId: string | null;
  /** Brings back what was deleted here. */
  again: boolean;
  /** Milliseconds that every date is moved on by. */
  later: number;
  place: Place;
}

/** Why a run ended where somebody wished it to. */
export class RunStopped extends Error {}

/** Another import brought it in meanwhile. */
class BroughtInMeanwhile extends Error {}

/** What is here is no longer, or not, what may be written over. */
class Kept extends AppError {
  constructor(reason: string) {
    super("conflict", reason);
  }
}

const editedSince = "edited here since the import, so changes from the old site were not applied";

/** Brings in one post, changes what was brought in before, or leaves it, as `how` and what was done here say. */
export async function takePost(reading: Reading, how: How): Promise<Outcome> {
  const { ctx, post } = reading;
  const { database, viewer } = ctx;
  const known = await knownOf(database.read, viewer.id, post, how.place);
  const attempt = { ...reading };
  try {
    return await withComments(reading, how, known.key, await takeKnown(attempt, how, known));
  } catch (error) {
    if (error instanceof Kept) {
      const kept: Outcome = { problems: [], pictures: 0, as: "kept", reason: error.message };
      return withComments(reading, how, known.key, kept);
    }
    const isNew = known.row === undefined && !(error instanceof RunStopped);
    // Another import beside this one had it first: it is looked at as what is here now.
    if (!isNew || !(await importedBlog(database.read, viewer.id, known.key))) throw error;
    return takePost(reading, how);
  }
}

/** Takes what the post has of comments, whatever became of its text: of one that is not here nothing is taken. */
async function withComments(
  { ctx, post, dryRun }: Reading,
  how: How,
  key: string,
  outcome: Outcome,
): Promise<Outcome> {
  const { comments = [] } = post;
  const blogId = (await importedBlog(ctx.database.read, ctx.viewer.id, key))?.blogId;
  if (comments.length === 0 || (!dryRun && !blogId)) return outcome;
  const ready = await readyComments(comments, blogId ?? "", Date.now(), how.later);
  const target = {
    key,
    runId: how.runId,
    requireRunning: (tx: Connection) => requireRunning(tx, how.runId),
  };
  const said = dryRun
    ? { taken: outcome.as === "imported" ? ready.comments.length : 0, problems: ready.problems }
    : await takeComments(ctx, target, ready);
  return { ...outcome, comments: said.taken, problems: [...outcome.problems, ...said.problems] };
}

async function takeKnown(reading: Reading, how: How, known: Known): Promise<Outcome> {
  const { row } = known;
  const says = hashOf(reading.post);
  const nothing = { problems: [], pictures: 0 };
  if (row?.blogId === null) {
    if (!how.again)
      return {
        ...nothing,
        as: "kept",
        reason: "it was deleted here. Use --again to bring it back",
      };
    return write(reading, how, says, { ...known, row: undefined });
  }
  if (row === undefined) return write(reading, how, says, known);
  if (how.runId !== null && row.runId === how.runId && row.hash !== null)
    return { ...nothing, ...(JSON.parse(row.said ?? "{}") as Partial<Said>), as: "imported" };
  if (row.hash === says) return { ...nothing, as: "before" };
  // What came in before versions were noted was the first then.
  const isEdited = row.current !== (row.version ?? 1);
  if (!isEdited) return write(reading, how, says, known);
  if (row.hash?.startsWith(says)) return { ...nothing, as: "before" };
  throw new Kept(editedSince);
}

async function write(reading: Reading, how: How, says: string, { key, row }: Known): Promise<Outcome> {
  const { ctx, post, slug, dryRun } = reading;
  const problems: string[] = [...post.problems];
  reading.tell = (problem) => void problems.push(problem);
  const { tell } = reading;
  const now = Date.now();
  const date = post.publishedAt === undefined ? undefined : post.publishedAt.getTime() + how.later;
  const isAhead = date !== undefined && date > now;
  const publishedAt = isAhead ? now : date;
  const hidden = post.hidden ?? (isAhead ? "its date is in the future" : null);
  const document = await readText(reading);
  const cover =
    post.cover === undefined
      ? null
      : await takePicture(reading, post.cover, { accepted: importedCoverTypes });
  const blog = NewBlog.parse({
    id: row?.blogId ?? newId(Math.max(publishedAt ?? now, 0)),
    title: cutText(post.title, limits.title.max, "title", tell),
    description: cutText(post.description ?? "", limits.description.max, "description", tell),
    tags: takeTags(post.tags, tell),
    document,
    coverId: cover?.id ?? null,
    coverFocus: cover ? (post.coverFocus ?? null) : null,
    draft: hidden !== null,
    private: hidden === null && (post.forFollowers ?? false),
    ...(row === undefined && { slug }),
    ...forSearch(reading),
  });
  const said: Said = { problems, pictures: reading.pictures, ...(hidden !== null && { hidden }) };
  if (dryRun) return { ...said, as: row === undefined ? "imported" : "changed" };
  const remember = (given: Said): From => ({
    why: "imported",
    covers: importedCoverTypes,
    publishedAt: row !== undefined && date === undefined ? undefined : publishedAt,
    also: async (tx, { id, version }) => {
      await requireRunning(tx, how.runId);
      if (row === undefined) {
        const meanwhile = await importedBlog(tx, ctx.viewer.id, key);
        if ((meanwhile?.blogId ?? id) !== id) throw new BroughtInMeanwhile();
      }
      const refused = await noteAliases(tx, id, post.paths);
      if (refused.length > 0 && !problems.some((problem) => problem.startsWith(notNoted)))
        tell(`${notNoted} because they’re already in use: ${some(refused)}`);
      await rememberImport(tx, {
        authorId: ctx.viewer.id,
        source: key,
        blogId: id,
        importedAt: now,
        runId: row === undefined ? how.runId : row.runId,
        hash: reading.isWhole ? says : `${says}?`,
        version,
        said: JSON.stringify(given),
        // Of one that comes back everything does.
        ...(row === undefined && { comments: null }),
      });
    },
  });
  const saved = await saveOrHide(ctx, { blog, said, over: row?.current }, remember);
  if (saved.links > 0) problems.push(saidOfLinks(saved.links).trim());
  if (row === undefined) return { ...said, as: "imported" };
  return { ...said, as: saved.version === row.current ? "before" : "changed" };
}

const notNoted = "Some old addresses don’t redirect here";

/** What it says to search engines, and where it appeared first: on the old site that was here. */
function forSearch({ post, source, tell }: Reading) {
  const { canonicalUrl = "", searchTitle = "", searchDescription = "" } = post;
  const isOld = (source.origins ?? []).some((origin) => canonicalUrl.startsWith(`${origin}/`));
  const canonical = NewBlog.shape.canonicalUrl.safeParse(isOld ? "" : canonicalUrl);
  if (!canonical.success) tell(`Invalid original address: ${some([canonicalUrl])}`);
  return {
    canonicalUrl: canonical.data ?? "",
    // What is no language is guessed.
    language: NewBlog.shape.language.safeParse((post.language ?? "").replaceAll("_", "-")).data ?? "",
    searchTitle: cutText(searchTitle, searchLimits.title, "title for search engines", tell),
    searchDescription: cutText(
      searchDescription,
      searchLimits.description,
      "description for search engines",
      tell,
    ),
  };
}

/** What an account's first day has no room for comes in as a draft; what stands here already stays as it is. */
async function saveOrHide(
  ctx: MemberContext,
  {
    blog,
    said,
    over,
  }: { blog: ReturnType<typeof NewBlog.parse>; said: Said; over: number | null | undefined },
  remember: (said: Said) => From,
): Promise<SavedBlog> {
  if (over != null)
    try {
      const condition = { ...fromVersion(over), refusal: () => new Kept(editedSince) };
      return await updateBlog(ctx, blog, condition, remember(said));
    } catch (error) {
      if (!(error instanceof NewAccountLimitError)) throw error;
      throw new Kept(
        "new accounts can post only a few links on their first day. Import it again tomorrow to update it",
      );
    }
  const save = (draft: boolean) => createBlog(ctx, { ...blog, draft }, remember(said));
  try {
    return await save(blog.draft);
  } catch (error) {
    if (!(error instanceof NewAccountLimitError) || blog.draft) throw error;
    said.hidden = "new accounts can post only a few links on their first day. Publish it tomorrow";
    return save(true);
  }
}

/** Asked within the write: what was taken back meanwhile gets nothing more. */
async function requireRunning(tx: Connection, runId: string | null): Promise<void> {
  const run = runId === null ? undefined : await runById(tx, runId);
  if (runId !== null && run?.state !== "running" && run?.state !== "stopping")
    throw new RunStopped("Stopped.");
}
