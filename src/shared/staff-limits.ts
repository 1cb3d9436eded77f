/** Limits that only staff and sign-ups need; readers' pages do not load them. */
export const staffLimits = {
  /** Characters of a report and of a blog shown to moderators; page size of their lists, in targets and in entries. */
  reports: { words: 1_000, excerpt: 1_500, page: 20, each: 20 },
  /** Open requests; characters of the question and of an answer. */
  signupRequests: { most: 500, question: 300, answer: 1_000 },
  /** Email domains and networks that cannot sign up. */
  signupBlocks: { most: 1_000 },
  /**
   * Limits that administrators can change, with their defaults: pictures of an account in MB; what an account creates, and
   * sign-ups of a network, per day (UTC); links and mentions on an account's first day.
   */
  bounds: {
    storageMb: 10_000,
    dailyUploads: 500,
    dailyBlogs: 200,
    dailyComments: 1_000,
    dailySignUps: 50,
    firstDayLinks: 20,
    firstDayBlogs: 100,
  },
  /** Recommended topics; groups of interests, their names and topics. A topic is as long as an interest. */
  topics: 30,
  groups: { max: 20, name: 60, topics: 50 },
  /** Moderators' notes about one person. */
  notes: { most: 100 },
} as const;
