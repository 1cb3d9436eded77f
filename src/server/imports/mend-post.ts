import { hasStackedMarks, hasVisibleText, removeInvisible } from "../../shared/plain-text.ts";
import { importBounds as bounds } from "./bounds.ts";
import type { Found, SourcePost } from "./source.ts";

/**
 * Mends a post's fields, with a report line for each change: no post is refused for its title, and unbounded fields would block
 * the server's thread. Idempotent.
 */
export function mendPost(found: Found): Found {
  if (!("post" in found)) return found;
  const post: SourcePost = { ...found.post, problems: [...found.post.problems] };
  const reportProblem = (problem: string) => void post.problems.push(problem);
  post.file = post.file.slice(0, bounds.path).toWellFormed();
  post.source = post.source.slice(0, bounds.path).toWellFormed();
  for (const [name, label] of textFields) {
    const value = post[name];
    if (value === undefined) continue;
    if (value.length > bounds.field)
      reportProblem(
        `Its ${label} has ${formatNumber(value.length)} characters. Only the first ${formatNumber(bounds.field)} were read`,
      );
    post[name] = printable(value.slice(0, bounds.field).toWellFormed(), label, reportProblem);
  }
  if (!hasVisibleText(post.title)) {
    post.title = "(Untitled)";
    reportProblem("It has no title.");
  }
  for (const [name, label] of addressFields) {
    if ((post[name]?.length ?? 0) <= bounds.address) continue;
    reportProblem(`Its ${label} has ${formatNumber(post[name]?.length ?? 0)} characters and was skipped`);
    delete post[name];
  }
  const shortPaths = post.paths.filter((address) => address.length <= bounds.address);
  if (shortPaths.length < post.paths.length)
    reportProblem(`Skipped old addresses longer than ${formatNumber(bounds.address)} characters`);
  if (shortPaths.length > bounds.paths)
    reportProblem(`Kept the first ${bounds.paths} of ${shortPaths.length} old addresses`);
  if (shortPaths.length !== post.paths.length || shortPaths.length > bounds.paths)
    post.paths = shortPaths.slice(0, bounds.paths);
  if (post.tags.length > bounds.tags)
    reportProblem(
      `Read only the first ${formatNumber(bounds.tags)} of ${formatNumber(post.tags.length)} tags`,
    );
  post.tags = post.tags
    .slice(0, bounds.tags)
    .map((tag) => printable(tag.slice(0, bounds.address).toWellFormed(), "tags", reportProblem));
  post.authors = post.authors.slice(0, bounds.tags);
  const excess = post.problems.length - bounds.problems;
  if (excess > 1)
    post.problems.splice(bounds.problems - 1, excess + 1, `And ${formatNumber(excess + 1)} more like this`);
  return { post };
}

// eslint-disable-next-line no-control-regex
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/** Removes what a title or tag here cannot have. */
function printable(text: string, label: string, reportProblem: (problem: string) => void): string {
  const plain = text.replace(controls, "");
  if (plain !== text) reportProblem(`Removed control characters from its ${label}`);
  const visible = removeInvisible(plain.normalize("NFC"));
  if (!hasStackedMarks(visible)) return plain;
  reportProblem(`Removed most accents of a letter from its ${label}`);
  return visible.replace(/(\p{M}{4})\p{M}+/gu, "$1");
}

const textFields = [
  ["title", "title"],
  ["description", "description"],
  ["searchTitle", "title for search engines"],
  ["searchDescription", "description for search engines"],
] as const;
const addressFields = [
  ["slug", "address"],
  ["cover", "cover’s address"],
  ["canonicalUrl", "first address"],
] as const;

const formatNumber = (number: number): string => number.toLocaleString("en");
