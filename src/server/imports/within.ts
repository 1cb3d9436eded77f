import { importBounds as bounds } from "./bounds.ts";
import type { Found, SourcePost } from "./source.ts";

/**
 * What a source says of a post, as much of it as is looked at, each cut with a line in the report: whoever answers pages has
 * no field without end in the hand. Done twice it is as done once.
 */
export function withinBounds(found: Found): Found {
  if (!("post" in found)) return found;
  const post: SourcePost = { ...found.post, problems: [...found.post.problems] };
  const tell = (problem: string) => void post.problems.push(problem);
  post.file = post.file.slice(0, bounds.path).toWellFormed();
  post.source = post.source.slice(0, bounds.path).toWellFormed();
  for (const [name, what] of texts) {
    const value = post[name];
    if (value === undefined || value.length <= bounds.field) continue;
    tell(
      `Its ${what} has ${counted(value.length)} characters: the first ${counted(bounds.field)} were looked at`,
    );
    post[name] = value.slice(0, bounds.field).toWellFormed();
  }
  for (const [name, what] of addresses) {
    if ((post[name]?.length ?? 0) <= bounds.address) continue;
    tell(`Its ${what} has ${counted(post[name]?.length ?? 0)} characters and was left out`);
    delete post[name];
  }
  const short = post.paths.filter((one) => one.length <= bounds.address);
  if (short.length < post.paths.length)
    tell(
      `Addresses of more than ${counted(bounds.address)} characters, where it stood before, were left out`,
    );
  if (short.length > bounds.paths)
    tell(`Of the ${short.length} addresses where it stood before the first ${bounds.paths} lead here`);
  if (short.length !== post.paths.length || short.length > bounds.paths)
    post.paths = short.slice(0, bounds.paths);
  if (post.tags.length > bounds.tags)
    tell(`Of its ${counted(post.tags.length)} tags the first ${counted(bounds.tags)} were looked at`);
  post.tags = post.tags.slice(0, bounds.tags).map((tag) => tag.slice(0, bounds.address).toWellFormed());
  post.authors = post.authors.slice(0, bounds.tags);
  const more = post.problems.length - bounds.problems;
  if (more > 1)
    post.problems.splice(bounds.problems - 1, more + 1, `There are ${counted(more + 1)} lines more of it`);
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
