import { idOf } from "../runtime/ids.ts";

/* Topics that are signalled and never stored as events. */

/** Signalled when who can read a blog or a person's blogs changed, or what this person can read: streams read the access again. */
export const rightsTopic = (id: string): string => `rights:${id}`;

/** Signalled when a block of this person was made or ended: their streams read again who is hidden from them. */
export const blocksTopic = (id: string): string => `blocks:${id}`;

/** Signalled when an account is limited, or no longer: every stream reads again who is hidden from its viewer. */
export const limitedTopic = "limited";

/** Signalled when a live blog's entries, summary or state changed, which feeds show. Not for a like. */
export const coverageTopic = (blogId: string): string => `coverage:${blogId}`;

/** Signalled when a blog got this address. Without its words: a stored signal outlives a deleted blog. */
export const addressTopic = (slug: string): string => `address:${idOf(slug)}`;

/** Signalled when the name, picture or another public property of a person changed: cached pages that show people are dropped. */
export const peopleTopic = "people";

/** Signalled when a job was queued. */
export const jobsTopic = "jobs";

/** Adds what an answer made of these topics depends on, too: access to the blogs among them, and names and pictures of people. */
export const withRights = (topics: readonly string[]): Set<string> =>
  new Set([
    peopleTopic,
    ...topics,
    ...topics.flatMap((topic) =>
      topic.startsWith("blog:") ? [rightsTopic(topic.slice("blog:".length))] : [],
    ),
  ]);

/** Signalled when a session ended: its connections are closed. */
export const sessionEndedTopic = (hash: string): string => `session-ended:${hash}`;
