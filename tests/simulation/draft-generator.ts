import type { GeneratedAction, PlanState, Random } from "./generator.ts";

/* Actions in texts that are being written. `value` is a word that nothing else contains (secret-words.ts). */

export type DraftAction =
  | { kind: "begin"; blog: number }
  | { kind: "write"; blog: number; in: "text" | "title" | "description" | "tags"; value: string }
  | { kind: "publish the draft"; blog: number }
  /** Null: without a date. */
  | { kind: "save as a draft"; blog: number; seconds: number | null }
  | { kind: "discard the draft"; blog: number }
  | { kind: "restore in the draft"; blog: number }
  | { kind: "share"; blog: number; person: number; on: boolean };

/** A page that writes or reads along in a text. */
export interface FollowedDraft {
  who: number;
  blog: number;
}

/** The blog that begins as a draft of two people. */
export const sharedDraft = { by: 0, coAuthor: 1, blog: 6 };

/** Returns a blog and who acts: rarely somebody who may not. Most acts are about the shared draft and later blogs. */
function draftAndActor(random: Random, { blogs }: PlanState): { blog: number; by: number } {
  const blog = random.chance(0.7)
    ? random.between(sharedDraft.blog, blogs.length - 1)
    : random.integer(blogs.length);
  const by = blogs[blog]!.by;
  if (random.chance(0.6)) return { blog, by };
  return { blog, by: blog === sharedDraft.blog ? sharedDraft.coAuthor : random.integer(4) };
}

export const draftActionGenerators: [number, (random: Random, state: PlanState) => GeneratedAction][] = [
  [
    4,
    (random, state) => {
      const by = random.integer(4);
      return { kind: "begin", by, blog: state.blogs.push({ by }) - 1 };
    },
  ],
  [
    16,
    (random, state) => ({
      kind: "write",
      ...draftAndActor(random, state),
      in: random.pick(["text", "text", "text", "title", "title", "description", "tags"] as const),
      value: `unseen${++state.count}x`,
    }),
  ],
  [5, (random, state) => ({ kind: "publish the draft", ...draftAndActor(random, state) })],
  [
    4,
    (random, state) => ({
      kind: "save as a draft",
      ...draftAndActor(random, state),
      seconds: random.pick([null, null, 1, 3_600]),
    }),
  ],
  [2, (random, state) => ({ kind: "discard the draft", ...draftAndActor(random, state) })],
  [2, (random, state) => ({ kind: "restore in the draft", ...draftAndActor(random, state) })],
  [1, (random, state) => ({ kind: "delete blog", ...draftAndActor(random, state) })],
  [
    3,
    (random, state) => {
      const { blog } = draftAndActor(random, state);
      const { by } = state.blogs[blog]!;
      const person = random.pick([0, 1, 2, 3].filter((other) => other !== by));
      return { kind: "share", blog, by, person, on: random.chance(0.7) };
    },
  ],
];

/** Returns pages that follow a draft, most often the shared one. */
export const generateFollowedDrafts = (random: Random): FollowedDraft[] =>
  [sharedDraft.by, sharedDraft.coAuthor].flatMap((who) =>
    random.chance(0.5)
      ? [{ who, blog: random.chance(0.7) ? sharedDraft.blog : random.pick(who === 0 ? [0, 1] : [2, 3]) }]
      : [],
  );
