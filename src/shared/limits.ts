import { answer } from "./response-limits.ts";

/** Every limit of the site. Sizes are in bytes, times in milliseconds. */
export const limits = {
  title: { max: 150 },
  description: { max: 150 },
  tags: { max: 10, length: 30 },
  comment: { max: 5_000 },
  /** Pending comments of one author below a blog, of all below a blog, and how many are shown. */
  pendingComments: { ofOne: 20, ofBlog: 500, shown: 50 },
  name: { max: 80 },
  bio: { max: 300 },
  /** A former username stays reserved for its owner for `heldDays`; within them, `changes` changes are allowed. */
  username: { min: 3, max: 30, heldDays: 30, changes: 3 },
  password: { min: 8, max: 200 },
  email: { max: 254 },
  interests: { max: 50, length: 40 },
  mutedWords: { max: 100, length: 40 },
  /** `old`: previous slugs of one blog. */
  slug: { max: 100, old: 50 },
  /** `cost`: points of the read rate limit beside the call itself. */
  search: { max: 200, cost: 4 },

  /**
   * Page sizes: feed and search from docs/specification.md (9.3, 9.4), the rest our own. The last page is `highest`, or the one
   * with entry `reach` if that is earlier.
   */
  page: { feed: 4, search: 3, profile: 6, people: 20, comments: 20, highest: 10_000, reach: 40_000 },
  /** People listed beside an exact count (likes, followers). */
  people: { most: 1_000 },
  /**
   * A page of threads has at most `rows` comments and `characters` of text. A thread of more than `whole` replies begins with
   * its first `few`; the others follow by `page`. A linked comment comes with the comments it answers, at most `above`, and
   * `around` neighbours. Long threads are deleted in batches of `step`.
   */
  replies: {
    rows: 50,
    characters: 20_000,
    whole: 5,
    few: 3,
    page: 30,
    above: 10,
    around: 4,
    step: 250,
  },

  /**
   * Unused pictures are deleted after `unusedFor`, since unsaved text may still need them; files without a row after
   * `strayFor`, since their upload may still run.
   */
  image: {
    bytes: 8 * 1024 * 1024,
    /** Of all frames together; more than `frames` are dropped. */
    pixels: 40_000_000,
    frames: 200,
    /** The most that a WebP file can have; a taller picture is scaled. */
    height: 16_383,
    /** The longest processing time. */
    seconds: 30,
    /** Memory for processing a picture beside another one and alone, and the most that an idle process may hold. */
    memory: { shared: 160 * 1024 * 1024, alone: 340 * 1024 * 1024, idle: 120 * 1024 * 1024 },
    /** Processing time per point of the upload rate limit, beside the upload itself. */
    pointFor: 2_000,
    /** Pictures with more pixels are processed alone. */
    alone: 12_000_000,
    /** Queued pictures, in all and per account. */
    waiting: 64,
    waitingOfOne: 24,
    unusedFor: 30 * 24 * 60 * 60 * 1000,
    strayFor: 24 * 60 * 60 * 1000,
  },
  /** Remote pictures that one save fetches, those of a text that are copied while it is written, and a fetch's time in all. */
  remoteImages: { most: 20, mostInText: 100, atOnce: 2, redirects: 3, time: 8_000 },
  /** Bodies up to `small` always pass; those up to `light` are parsed on the main thread. */
  body: {
    json: 2 * 1024 * 1024,
    upload: 40 * 1024 * 1024,
    field: 64 * 1024,
    small: 64 * 1024,
    light: 32 * 1024,
    values: 5_000,
    /** Of all requests together, in memory and on disk. */
    underWay: { memory: 32 * 1024 * 1024, disk: 200 * 1024 * 1024 },
    patience: 30_000,
  },

  /** The time for a response; a request body may take as long as a line of `eachSecond` bytes a second needs. */
  answer,
  /** An upload fails when nothing is sent for `stalled`, or without a response `worked` after its last byte. */
  upload: { stalled: 20_000, worked: 60_000 },

  live: {
    keptFor: 7 * 24 * 60 * 60 * 1000,
    replay: 500,
    /** Random delay where all listening pages have to refetch: for each page, and at most. */
    jitter: { each: 5, most: 10_000 },
    /** Pages that can reconnect within this time after the server started. */
    returning: { connections: 1_000, within: 30_000 },
    /** Unsent bytes at which a socket is closed. */
    buffered: 1024 * 1024,
    message: 64 * 1024,
    /**
     * tRPC calls and bytes that a socket, and all sockets of an address, may send `within` this time. The number of calls is an
     * upper bound, from counting braces. A page sends a few hundred bytes when it shows something else.
     */
    clientMessages: {
      within: 10_000,
      message: 32,
      socket: { calls: 800, bytes: 256 * 1024 },
      address: { calls: 8_000, bytes: 2 * 1024 * 1024 },
    },
    /** Of one page; each card is a topic. Every `topicsAPoint` of them cost as much as a call. */
    topics: 150,
    topicsAPoint: 25,
    /** WebSockets and event streams: of one person's tabs, of one address (an office), of all. */
    connections: { account: 200, address: 1_000, all: 20_000 },
  },
  /** Unread notifications are counted up to `counted`. All are deleted after half a year. */
  notifications: { counted: 100, keptFor: 183 * 24 * 60 * 60 * 1000 },
  /** Fields that administrators fill in. */
  site: {
    name: 60,
    description: 200,
    text: 100_000,
    sheet: 64 * 1024,
    sheetNesting: 32,
    sheetPatience: 10_000,
  },
  /** How long a rejected request can be restored. */
  rejection: { undoneFor: 60_000 },
  /** A session ends `days` after its last use, at the latest `mostDays` after its sign-in. */
  session: { days: 30, mostDays: 365 },
  /** Browsers that signed in to an account before: how many, and how long after their last sign-in. */
  browser: { most: 20, keptFor: 365 * 24 * 60 * 60 * 1000 },
  recoveryCodes: 10,
  passkeys: { most: 20, name: 60 },
  /** How long emailed links work: in hours, and in days for undo and unsubscribe links. */
  token: { hours: 24, undoDays: 7, unsubscribeDays: 400 },
  /** How long a failing job is retried (as long as an emailed link works), and a failed one listed. */
  jobs: { triedFor: 24 * 60 * 60 * 1000, listedFor: 30 * 24 * 60 * 60 * 1000 },
  /** Emails stored as files contain links that give access to accounts. */
  mail: {
    keptFor: 30 * 24 * 60 * 60 * 1000,
    /** Notification emails: rows in one, pause between two, and the time of day of daily ones. */
    notifications: 20,
    emailsApart: 15 * 60_000,
    morning: 8 * 60 * 60 * 1000,
  },
  /** How long an unconfirmed account keeps its name. */
  signUp: { keptFor: 30 * 24 * 60 * 60 * 1000 },
} as const;
