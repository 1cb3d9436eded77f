/** What an import takes at most, whoever asks for it; sizes in bytes, times in milliseconds. */
export const importBounds = {
  /** Files and folders of what is imported from, the characters of a name, and how deep folders stand in each other. */
  entries: 100_000,
  name: 1_000,
  depth: 16,
  /**
   * Bytes that a ZIP may become: so many times its own, or so many, whichever is more. It is gone through a few times, and a
   * picture is read for each text that shows it: so often that much in all.
   */
  unpacked: { times: 20, least: 1024 * 1024 * 1024, readings: 10 },
  /** Posts of one import. */
  posts: 100_000,
  /** Characters of what stands before a post's text. */
  frontMatter: 50_000,
  /** A post's own file. */
  text: 8 * 1024 * 1024,
  /** Lines of a report, of each kind, and the characters of one. */
  lines: 500,
  line: 300,
  /** Links and pictures of one post that are looked after. */
  links: 5_000,
  pictures: 2_000,
  /** Paths that one post stood at, its tags, and the lines that it may have in a report. */
  paths: 50,
  /** Comments of one post, and how many of them are stored at once. */
  comments: 50_000,
  commentsAtOnce: 100,
  /** Comments that did not come in, between one that did and what it answers then. */
  passedOver: 100,
  tags: 500,
  problems: 100,
  /** Characters of a title or description, and of an address, that are looked at. */
  field: 10_000,
  address: 2_000,
  /** Characters of a post's own name and of its file's: no system's paths are longer. */
  path: 4_096,
  /** Posts that are worked on at once. */
  atOnce: 3,
} as const;
