import { answer } from "./answer.ts";

/** Every number that the site keeps to, once. Sizes are in bytes, times in milliseconds. */
export const limits = {
  title: { max: 150 },
  description: { max: 150 },
  tags: { max: 10, length: 30 },
  comment: { max: 5_000 },
  /** Comments that wait to be let in: of one writer below one blog, of all; so many of them are shown. */
  pendingComments: { ofOne: 20, ofBlog: 500, shown: 50 },
  name: { max: 80 },
  bio: { max: 300 },
  /** One that is given up is held for its owner for so many days; in these it may be changed so often. */
  username: { min: 3, max: 30, heldDays: 30, changes: 3 },
  /** Of the passwords that people choose most, so many are refused. */
  password: { min: 8, max: 200 },
  email: { max: 254 },
  interests: { max: 50, length: 40 },
  mutedWords: { max: 100, length: 40 },
  /** `old`: addresses that one blog may have had. */
  slug: { max: 100, old: 50 },
  /** A search costs so many points of reading beside the call that it is. */
  search: { max: 200, cost: 4 },

  /**
   * Page sizes: the feed and the search as docs/specification.md has them (9.3, 9.4); the rest are ours. A list is turned to its
   * `highest` page or its last entry within `reach`, whichever comes first.
   */
  page: { feed: 4, search: 3, profile: 6, people: 20, comments: 20, highest: 10_000, reach: 40_000 },
  /** People listed beside an exact count (likes, followers) in one answer. */
  people: { most: 1_000 },
  /**
   * A page of threads has `rows` comments at most, and `weight` bytes of text as drawn and carried along. Of a thread of more
   * than `whole` replies it has the first `few`; the others come by `page`. A comment that is linked to comes with those it
   * answers, `above` at most, and as many `around` it. Long threads are deleted in `step`s.
   */
  replies: {
    rows: 50,
    weight: 160_000,
    whole: 5,
    few: 3,
    page: 30,
    above: 10,
    around: 4,
    step: 250,
  },

  /** A picture that nothing shows is kept for text that is still being written; a file without a row, for its upload's end. */
  image: {
    bytes: 8 * 1024 * 1024,
    /** Of all frames together; those beyond the most are left away. */
    pixels: 40_000_000,
    frames: 200,
    /** How long one may take to be worked on. */
    seconds: 30,
    /** What memory for it: beside another one, and alone; and what is kept by a process that waits for the next. */
    memory: { shared: 160 * 1024 * 1024, alone: 340 * 1024 * 1024, idle: 120 * 1024 * 1024 },
    /** So long an uploaded one may be worked on for each point of the limit on uploads beside the one that it is. */
    pointFor: 2_000,
    /** With more pixels than this nothing else is worked on beside it. */
    alone: 12_000_000,
    /** How many may wait, in all and of one account. */
    waiting: 64,
    waitingOfOne: 24,
    unusedFor: 30 * 24 * 60 * 60 * 1000,
    strayFor: 24 * 60 * 60 * 1000,
  },
  /** Pictures from elsewhere that a save brings in, and how long that may take in all. */
  foreign: { most: 20, atOnce: 2, redirects: 3, time: 8_000 },
  /** A small body passes whatever else is under way, a light one is parsed where it arrives. */
  body: {
    json: 2 * 1024 * 1024,
    upload: 40 * 1024 * 1024,
    field: 64 * 1024,
    small: 64 * 1024,
    light: 32 * 1024,
    values: 5_000,
    /** Of all requests together, in memory and on the disk. */
    underWay: { memory: 32 * 1024 * 1024, disk: 200 * 1024 * 1024 },
    patience: 30_000,
  },

  /** How long an answer may take; what is sent may take as long as a slow line needs at so many bytes a second. */
  answer,
  /** An upload is given up when nothing of it goes out for so long, or no answer comes so long after it is all sent. */
  upload: { stalled: 20_000, worked: 60_000 },

  live: {
    keptFor: 7 * 24 * 60 * 60 * 1000,
    replay: 500,
    /** Random delay where all listening pages have to refetch: milliseconds for each page, and at most. */
    jitter: { each: 5, most: 10_000 },
    /** The number of pages that may reconnect within so many milliseconds after the server started. */
    returning: { connections: 1_000, within: 30_000 },
    /** Unsent bytes at which a socket is closed. */
    buffered: 1024 * 1024,
    message: 64 * 1024,
    /**
     * What a socket says, and all of one address: in `calls` of tRPC's and bytes within so many milliseconds. The calls are
     * guessed from above, by braces. A page says a few hundred bytes when it shows something else.
     */
    heard: {
      within: 10_000,
      message: 32,
      socket: { calls: 800, bytes: 256 * 1024 },
      address: { calls: 8_000, bytes: 2 * 1024 * 1024 },
    },
    /** Of one page: what it shows, each card a topic. Every so many of them cost as much as a call. */
    topics: 150,
    topicsAPoint: 25,
    /** Open WebSockets and event streams: of one person's tabs, of an office behind one address, of all. */
    connections: { account: 200, address: 1_000, all: 20_000 },
  },
  /** Unread ones are counted up to here: then there are so many or more. All go after half a year. */
  notifications: { counted: 100, keptFor: 183 * 24 * 60 * 60 * 1000 },
  /** What administrators say of the site. */
  site: {
    name: 60,
    description: 200,
    text: 100_000,
    sheet: 64 * 1024,
    sheetNesting: 32,
    sheetPatience: 10_000,
  },
  /** How long a rejected request can be put back. */
  rejection: { undoneFor: 60_000 },
  /** A session lasts so many days from when it was last used, and in any case no longer than so many from its sign-in. */
  session: { days: 30, mostDays: 365 },
  /** Browsers that signed in to an account before: how many of it, and how long after their last sign-in. */
  browser: { most: 20, keptFor: 365 * 24 * 60 * 60 * 1000 },
  recoveryCodes: 10,
  passkeys: { most: 20, name: 60 },
  /** How long emailed links work: in hours, and in days for undo and unsubscribe links. */
  token: { hours: 24, undoDays: 7, unsubscribeDays: 400 },
  /** How long a job that fails is tried again, a day as a mailed link works; how long one that was given up is listed. */
  jobs: { triedFor: 24 * 60 * 60 * 1000, listedFor: 30 * 24 * 60 * 60 * 1000 },
  /** Mails that are kept as files hold links that open accounts. */
  mail: {
    keptFor: 30 * 24 * 60 * 60 * 1000,
    /** Notification emails: rows in one, pause between two, and the hour of the daily ones. */
    notifications: 20,
    emailsApart: 15 * 60_000,
    morning: 8 * 60 * 60 * 1000,
  },
  /** An account that nobody confirms keeps its name so long. */
  signUp: { keptFor: 30 * 24 * 60 * 60 * 1000 },
} as const;
