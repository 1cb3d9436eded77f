/** Numbers that only staff and whoever signs up meet: a reader's page does without them. */
export const staffLimits = {
  /** A report's words; how many targets and entries a page of the moderators' lists has. */
  reports: { words: 1_000, page: 20, each: 20 },
  /** Who may wait to be let in, what they are asked and what they answer. */
  signupRequests: { most: 500, question: 300, answer: 1_000 },
  /** Mail domains and networks that nobody joins from. */
  signupBlocks: { most: 1_000 },
  /**
   * What administrators may set in numbers, and what holds where they do not: pictures of an account in MB, what it makes and how
   * often a network signs up on a day of UTC, links and mentions of an account's first day.
   */
  bounds: {
    storageMb: 10_000,
    dailyUploads: 500,
    dailyBlogs: 200,
    dailyComments: 1_000,
    dailySignUps: 50,
    firstDayTalk: 20,
    firstDayBlogs: 100,
  },
  /** What moderators tell each other about one person. */
  notes: { most: 100 },
} as const;
