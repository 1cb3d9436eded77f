import { readFile } from "node:fs/promises";
import { safeLink } from "../../shared/document/values.ts";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Tag, type Picture } from "../../shared/blogs.ts";
import { limits } from "../../shared/limits.ts";
import type { MemberContext } from "../context.ts";
import { isDiskFull } from "../database/errors.ts";
import { addBytes } from "../media/service.ts";
import type { AddressBook } from "./address-book.ts";
import { importBounds as bounds } from "./bounds.ts";
import { skippedTagsText, reasonOf, firstNames, isExpectedError } from "./report.ts";
import { FileProblem, type Source, type SourcePost } from "./source.ts";

type Tell = (problem: string) => void;

/** The state of an import of one post. `isWhole` is false when another try may import more. */
export interface PostImport {
  ctx: MemberContext;
  source: Source;
  post: SourcePost;
  slug: string;
  book: AddressBook;
  /** Stores nothing. */
  dryRun: boolean;
  tell: Tell;
  pictures: number;
  isWhole: boolean;
}

/** Converts a post's text to a document: stores its pictures one by one and resolves its links. */
export async function readText(reading: PostImport): Promise<string> {
  const { ctx, source, post, tell } = reading;
  const origins = source.origins ?? [];
  const { kind, text } = post.body;
  const origin = ctx.config.publicUrl;
  const read = await ctx.workers.run("foreignText", { kind, text, origins, origin }, ctx.viewer.id);
  const stored: Record<string, { src: string; width: number; height: number } | string | null> = {};
  for (const [at, { src, path }] of read.pictures.entries()) {
    if (at === bounds.pictures) tell(`It has more than ${bounds.pictures} pictures. The others were skipped`);
    stored[src] = at < bounds.pictures ? await storedPicture(reading, path) : null;
  }
  const links = Object.fromEntries(await resolveLinks(reading, read.links, read.droppedLinks));
  if (read.unknown.length > 0) tell(skippedTagsText(read.unknown));
  if (read.pictures.length === 0 && read.links.length === 0) return read.document;
  return (await ctx.workers.run("place", { document: read.document, stored, links }, ctx.viewer.id)).document;
}

async function resolveLinks(
  reading: PostImport,
  links: { href: string; written: string; anchor?: string | null }[],
  droppedAlready: string[],
): Promise<[string, string | null][]> {
  const { source, post, slug, book, tell } = reading;
  const origins = source.origins ?? [];
  const dropped = [...droppedAlready];
  const stayed: string[] = [];
  const place = (
    { href, written, anchor }: (typeof links)[number],
    isLookedAfter: boolean,
  ): [string, string | null] => {
    if (anchor !== undefined) {
      // Links to the top or notes need no report.
      if (anchor === null && !/^#(?:$|top$|fn|footnote|_)/i.test(written)) dropped.push(written);
      return [href, anchor === null ? null : book.addressOf(slug, anchor)];
    }
    const found = isLookedAfter ? book.find(written, post, origins) : null;
    if (found !== null) return [href, found];
    const isAddress = /^https?:/i.test(written);
    const old = isAddress ? written : written.startsWith("/") && origins[0] ? origins[0] + written : null;
    const kept = safeLink(old);
    if (kept === null) dropped.push(written);
    else if (!isAddress || origins.some((origin) => written.startsWith(origin))) stayed.push(written);
    return [href, kept];
  };
  const placed: [string, string | null][] = [];
  for (const [at, link] of links.entries()) {
    placed.push(place(link, at < bounds.links));
    // A link may try all former paths.
    if (at % 50 === 49) await nextTurn();
  }
  if (links.length > bounds.links)
    tell(`It has more than ${bounds.links} links to posts on its old site. The others were not changed`);
  if (dropped.length > 0)
    tell(
      `Only the text of ${dropped.length === 1 ? "a link" : `${dropped.length} links`} was kept: ${firstNames(dropped)}`,
    );
  if (stayed.length > 0)
    tell(
      `${stayed.length === 1 ? "A link still leads" : `${stayed.length} links still lead`} to the old site: ${firstNames(stayed)}`,
    );
  if (dropped.length + stayed.length > 0) reading.isWhole = false;
  return placed;
}

async function storedPicture(reading: PostImport, name: string) {
  const isElsewhere = /^https?:/i.test(name);
  const picture = await importPicture(reading, name, { isElsewhere });
  if (picture) return { src: picture.src, width: picture.width, height: picture.height };
  return isElsewhere ? name : null;
}

/** Stores a picture. Returns null on failure, reported unless it is on another site and not in the source. */
export async function importPicture(
  reading: PostImport,
  name: string,
  { accepted, isElsewhere = false }: { accepted?: readonly string[]; isElsewhere?: boolean } = {},
): Promise<Picture | null> {
  const { ctx, source, post, dryRun, tell } = reading;
  try {
    const bytes = await source.file(post, name, limits.image.bytes).catch(async (error: unknown) => {
      // Others are fetched on saving.
      const isCover = !isElsewhere && /^https?:/i.test(name);
      const had = isCover && error instanceof FileProblem && !dryRun ? await fetchPicture(ctx, name) : null;
      if (had === null) throw error;
      return had;
    });
    if (dryRun) return null;
    const picture = await addBytes(ctx, bytes, accepted);
    reading.pictures++;
    return picture;
  } catch (error) {
    if (isDiskFull(error)) throw error;
    if (isElsewhere && error instanceof FileProblem) return null;
    if (!isExpectedError(error)) ctx.log.error({ err: error, name }, "a picture could not be imported");
    const reason = isExpectedError(error) ? reasonOf(error) : "can’t be read";
    tell(`The picture ${name.slice(0, 120).toWellFormed()} couldn’t be imported: ${reason}`);
    reading.isWhole = false;
    return null;
  }
}

/** Returns null when fetching is off or fails. */
const fetchPicture = (ctx: MemberContext, address: string): Promise<Buffer | null> =>
  ctx.foreign.isOn
    ? ctx.temporary.folder(async (folder) => {
        const file = (await ctx.foreign.fetch([address], folder, ctx.signal)).get(address);
        return file === undefined ? null : readFile(file);
      })
    : Promise.resolve(null);

export function usableTags(tags: string[], tell: Tell): string[] {
  const all = [...new Set(tags.map((tag) => tag.trim().toLowerCase().replace(/\s+/g, "-")).filter(Boolean))];
  const usable = [...new Set(all.flatMap((tag) => Tag.safeParse(tag).data ?? []))];
  const unusable = all.filter((tag) => !Tag.safeParse(tag).success);
  if (unusable.length > 0)
    tell(
      `Skipped ${unusable.length === 1 ? "a tag" : `${unusable.length} tags`} longer than ${limits.tags.length} characters: ${firstNames(unusable)}`,
    );
  if (usable.length > limits.tags.max)
    tell(
      `Kept the first ${limits.tags.max} of ${usable.length} tags, without ${firstNames(usable.slice(limits.tags.max))}`,
    );
  return usable.slice(0, limits.tags.max);
}

/** Cuts at a word. */
export function cutText(text: string, most: number, name: string, tell: Tell): string {
  const line = text.replace(/\s+/g, " ").trim();
  const { length } = [...line];
  if (length <= most) return line;
  tell(`Its ${name} has ${length} characters and was cut to ${most}.`);
  const start = [...line].slice(0, most - 1).join("");
  return `${start.replace(/\s+\S*$/, "") || start}…`;
}
