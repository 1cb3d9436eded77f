import { importBounds as bounds } from "./bounds.ts";
import type { Found, SourcePost } from "./source.ts";

/**
 * Cuts a post's fields to their limits, with a report line for each cut, because unbounded fields would block the server's
 * thread. Idempotent.
 */
export function cutToBounds(found: Found): Found {
  if (!("post" in found)) return found;
  const post: SourcePost = { ...found.post, problems: [...found.post.problems] };
  const tell = (problem: string) => void post.problems.push(problem);
  post.file = post.file.slice(0, bounds.path).toWellFormed();
  post.source = post.source.slice(0, bounds.path).toWellFormed();
  for (const [name, what] of texts) {
    const value = post[name];
    if (value === undefined || value.length <= bounds.field) continue;
    tell(
      `Its ${what} has ${counted(value.length)} characters. Only the first ${counted(bounds.field)} were read`,
    );
    post[name] = value.slice(0, bounds.field).toWellFormed();
  }
  for (const [name, what] of addresses) {
    if ((post[name]?.length ?? 0) <= bounds.address) continue;
    tell(`Its ${what} has ${counted(post[name]?.length ?? 0)} characters and was skipped`);
    delete post[name];
  }
  const short = post.paths.filter((one) => one.length <= bounds.address);
  if (short.length < post.paths.length)
    tell(`Skipped old addresses longer than ${counted(bounds.address)} characters`);
  if (short.length > bounds.paths) tell(`Kept the first ${bounds.paths} of ${short.length} old addresses`);
  if (short.length !== post.paths.length || short.length > bounds.paths)
    post.paths = short.slice(0, bounds.paths);
  if (post.tags.length > bounds.tags)
    tell(`Read only the first ${counted(bounds.tags)} of ${counted(post.tags.length)} tags`);
  post.tags = post.tags.slice(0, bounds.tags).map((tag) => tag.slice(0, bounds.address).toWellFormed());
  post.authors = post.authors.slice(0, bounds.tags);
  const more = post.problems.length - bounds.problems;
  if (more > 1)
    post.problems.splice(bounds.problems - 1, more + 1, `And ${counted(more + 1)} more like this`);
  return { post };
}

const texts = [
  ["title", "title"],
  ["description", "description"],
  ["searchTitle", "title for search engines"],
  ["searchDescription", "description for search engines"],
] as const;
const addresses = [
  ["slug", "address"],
  ["cover", "cover’s address"],
  ["canonicalUrl", "first address"],
] as const;

const counted = (number: number): string => number.toLocaleString("en");
