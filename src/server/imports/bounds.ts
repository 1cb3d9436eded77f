/** The limits of every import; sizes in bytes, times in milliseconds. */
export const importBounds = {
  /** Files and folders of a source, characters of a name, and depth of nested folders. */
  entries: 100_000,
  name: 1_000,
  depth: 16,
  /**
   * A ZIP may unpack to `times` its size or to `least`, whichever is more: texts seldom shrink to a tenth, pictures not at all.
   * Files are read several times, pictures once per post that shows them: in total at most `readings` times that.
   */
  unpacked: { times: 20, least: 64 * 1024 * 1024, readings: 10 },
  posts: 100_000,
  /** Characters of a front matter. */
  frontMatter: 50_000,
  /** A post's own file. */
  text: 8 * 1024 * 1024,
  /** Lines of a report, those of each kind that a page shows, and characters of a file's name and of a reason. */
  lines: 10_000,
  shownLines: 500,
  line: 300,
  /** Links and pictures processed per post. */
  links: 5_000,
  pictures: 2_000,
  /** Per post, as `tags` and `problems` (report lines) below. */
  paths: 50,
  /** Comments per post, and how many one transaction stores. */
  comments: 50_000,
  commentsAtOnce: 100,
  /** Skipped ancestors between a comment and its imported parent. */
  skippedAncestors: 100,
  tags: 500,
  problems: 100,
  /** Characters read of a title or description, and of an address. */
  field: 10_000,
  address: 2_000,
  /** Characters of a post's key and file name: no system allows longer paths. */
  path: 4_096,
  /** The most posts of an upload. */
  uploadedPosts: 20_000,
  /** Posts that an import processes at once. */
  concurrentPosts: 3,
  /** Uploads imported at once, each in a process. */
  concurrentImports: 2,
  /** The most megabytes of objects of such a process, and milliseconds without a finished post. */
  megabytes: 512,
  idle: 15 * 60_000,
  /** Milliseconds of new posts after which an import gives its place to one that waits. */
  turn: 60_000,
} as const;
