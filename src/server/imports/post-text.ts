import { readFile } from "node:fs/promises";
import { safeLink } from "../../shared/document/values.ts";
import { setImmediate as nextTurn } from "node:timers/promises";
import { NewBlog, Tag, type Picture } from "../../shared/blogs.ts";
import { limits } from "../../shared/limits.ts";
import { cleanTag } from "../../shared/tags.ts";
import { typesetText } from "../../shared/typography.ts";
import type { MemberContext } from "../context.ts";
import { isDiskFull } from "../database/errors.ts";
import { addBytes } from "../media/service.ts";
import type { AddressBook } from "./address-book.ts";
import { importBounds as bounds } from "./bounds.ts";
import { errorMessage, firstNames, isExpectedError } from "./report.ts";
import { FileProblem, type Source, type SourcePost } from "./source.ts";

type ReportProblem = (problem: string) => void;

/** The state of an import of one post. `isWhole` is false when another try may import more. */
export interface PostImport {
  ctx: MemberContext;
  source: Source;
  post: SourcePost;
  slug: string;
  book: AddressBook;
  /** Stores nothing. */
  dryRun: boolean;
  reportProblem: ReportProblem;
  pictures: number;
  isWhole: boolean;
}

/**
 * Converts a post's text to a document: stores its pictures one by one and resolves its links. `typeset` sets the typography of
 * its other texts like that of this one.
 */
export async function readText(
  postImport: PostImport,
): Promise<{ document: string; typeset: (text: string) => string }> {
  const { ctx, source, post, reportProblem } = postImport;
  const origins = source.origins ?? [];
  const { kind, text } = post.body;
  const origin = ctx.config.publicUrl;
  // Where posts are typed in plain characters, and the site's renderer sets quotation marks and dashes.
  const typographyOf = kind === "markdown" || source.kind === "wordpress" ? namedLanguage(post) : undefined;
  const task = { kind, text, origins, origin, typographyOf };
  const converted = await ctx.workers.run("foreignText", task, ctx.viewer.id);
  const { language } = converted;
  const typeset = (other: string) => (language === "" ? other : typesetText(other, language));
  const stored: Record<string, { src: string; width: number; height: number } | string | null> = {};
  for (const [index, { src, path }] of converted.pictures.entries()) {
    if (index === bounds.pictures)
      reportProblem(`It has more than ${bounds.pictures} pictures. The others were skipped`);
    stored[src] = index < bounds.pictures ? await storedPicture(postImport, path) : null;
  }
  const links = Object.fromEntries(await resolveLinks(postImport, converted.links, converted.droppedLinks));
  for (const problem of converted.problems) reportProblem(problem);
  if (converted.pictures.length === 0 && converted.links.length === 0)
    return { document: converted.document, typeset };
  const placed = { document: converted.document, stored, links };
  return { ...(await ctx.workers.run("place", placed, ctx.viewer.id)), typeset };
}

/** Returns the language that a post names; empty if none or invalid: then it is guessed. */
export const namedLanguage = ({ language = "" }: SourcePost): string =>
  NewBlog.shape.language.safeParse(language.replaceAll("_", "-")).data ?? "";

async function resolveLinks(
  postImport: PostImport,
  links: { href: string; written: string; anchor?: string | null }[],
  droppedAlready: string[],
): Promise<[string, string | null][]> {
  const { source, post, slug, book, reportProblem } = postImport;
  const origins = source.origins ?? [];
  const dropped = [...droppedAlready];
  const oldSiteLinks: string[] = [];
  const resolveLink = (
    { href, written, anchor }: (typeof links)[number],
    isWithinLimit: boolean,
  ): [string, string | null] => {
    if (anchor !== undefined) {
      // Links to the top or notes need no report.
      if (anchor === null && !/^#(?:$|top$|fn|footnote|_)/i.test(written)) dropped.push(written);
      return [href, anchor === null ? null : book.addressOf(slug, anchor)];
    }
    const address = isWithinLimit ? book.find(written, post, origins) : null;
    if (address !== null) return [href, address];
    const isAddress = /^https?:/i.test(written);
    const oldAddress = isAddress
      ? written
      : written.startsWith("/") && origins[0]
        ? origins[0] + written
        : null;
    const external = safeLink(oldAddress);
    if (external === null) dropped.push(written);
    else if (!isAddress || origins.some((origin) => written.startsWith(origin))) oldSiteLinks.push(written);
    return [href, external];
  };
  const resolved: [string, string | null][] = [];
  for (const [index, link] of links.entries()) {
    resolved.push(resolveLink(link, index < bounds.links));
    // A link may try all former paths.
    if (index % 50 === 49) await nextTurn();
  }
  if (links.length > bounds.links)
    reportProblem(
      `It has more than ${bounds.links} links to posts on its old site. The others were not changed`,
    );
  if (dropped.length > 0)
    reportProblem(
      `Only the text of ${dropped.length === 1 ? "a link" : `${dropped.length} links`} was kept: ${firstNames(dropped)}`,
    );
  if (oldSiteLinks.length > 0)
    reportProblem(
      `${oldSiteLinks.length === 1 ? "A link still leads" : `${oldSiteLinks.length} links still lead`} to the old site: ${firstNames(oldSiteLinks)}`,
    );
  if (dropped.length + oldSiteLinks.length > 0) postImport.isWhole = false;
  return resolved;
}

async function storedPicture(postImport: PostImport, name: string) {
  const isElsewhere = /^https?:/i.test(name);
  const picture = await importPicture(postImport, name, { isElsewhere });
  if (picture) return { src: picture.src, width: picture.width, height: picture.height };
  return isElsewhere ? name : null;
}

/** Stores a picture. Returns null on failure, reported unless it is on another site and not in the source. */
export async function importPicture(
  postImport: PostImport,
  name: string,
  { accepted, isElsewhere = false }: { accepted?: readonly string[]; isElsewhere?: boolean } = {},
): Promise<Picture | null> {
  const { ctx, source, post, dryRun, reportProblem } = postImport;
  try {
    const bytes = await source.file(post, name, limits.image.bytes).catch(async (error: unknown) => {
      // Others are fetched on saving.
      const isCover = !isElsewhere && /^https?:/i.test(name);
      const fetched =
        isCover && error instanceof FileProblem && !dryRun ? await fetchPicture(ctx, name) : null;
      if (fetched === null) throw error;
      return fetched;
    });
    if (dryRun) return null;
    const picture = await addBytes(ctx, bytes, accepted);
    postImport.pictures++;
    return picture;
  } catch (error) {
    if (isDiskFull(error)) throw error;
    if (isElsewhere && error instanceof FileProblem) return null;
    if (!isExpectedError(error)) ctx.log.error({ err: error, name }, "a picture could not be imported");
    const reason = isExpectedError(error) ? errorMessage(error) : "can’t be read";
    reportProblem(`The picture ${name.slice(0, 120).toWellFormed()} couldn’t be imported: ${reason}`);
    postImport.isWhole = false;
    return null;
  }
}

/** Returns null when fetching is off or fails. */
const fetchPicture = (ctx: MemberContext, address: string): Promise<Buffer | null> =>
  ctx.remoteImages.isOn
    ? ctx.temporary.folder(async (folder) => {
        const file = (await ctx.remoteImages.fetch([address], folder, ctx.signal)).files.get(address);
        return file === undefined ? null : readFile(file);
      })
    : Promise.resolve(null);

export function usableTags(tags: string[], reportProblem: ReportProblem): string[] {
  const all = [...new Set(tags.map((tag) => cleanTag(tag).replace(/\s+/g, "-")).filter(Boolean))];
  const usable = [...new Set(all.flatMap((tag) => Tag.safeParse(tag).data ?? []))];
  const unusable = all.filter((tag) => !Tag.safeParse(tag).success);
  if (unusable.length > 0)
    reportProblem(
      `Skipped ${unusable.length === 1 ? "a tag" : `${unusable.length} tags`} of only dots or more than ${limits.tags.length} characters: ${firstNames(unusable)}`,
    );
  if (usable.length > limits.tags.max)
    reportProblem(
      `Kept the first ${limits.tags.max} of ${usable.length} tags, without ${firstNames(usable.slice(limits.tags.max))}`,
    );
  return usable.slice(0, limits.tags.max);
}

/** Cuts at a word. */
export function cutText(text: string, maxLength: number, name: string, reportProblem: ReportProblem): string {
  const line = text.replace(/\s+/g, " ").trim();
  const { length } = [...line];
  if (length <= maxLength) return line;
  reportProblem(`Its ${name} has ${length} characters and was cut to ${maxLength}.`);
  const start = [...line].slice(0, maxLength - 1).join("");
  return `${start.replace(/\s+\S*$/, "") || start}…`;
}
