/** Numbers that only staff and whoever signs up meet: a reader's page does without them. */
export const staffLimits = {
  /** A report's words; how many targets and entries a page of the moderators' lists has. */
  reports: { words: 1_000, page: 20, each: 20 },
  /** Who may wait to be let in, what they are asked and what they answer. */
  applications: { most: 500, question: 300, answer: 1_000 },
  /** Mail domains and networks that nobody joins from. */
  refusedSenders: { most: 1_000 },
  /** What moderators tell each other about one person. */
  notes: { most: 100 },
} as const;
