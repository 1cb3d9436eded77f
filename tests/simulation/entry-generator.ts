import type { GeneratedAction, PlanState, Random } from "./generator.ts";

/*
 * Actions in live blogs. Entries are numbered in the order of the plan; `value` is a word that nothing else contains
 * (secret-entries.ts).
 */

export type EntryAction =
  /** Starts or reopens a live blog, or ends it. */
  | { kind: "on air"; blog: number; on: boolean }
  | { kind: "post entry"; blog: number; entry: number; value: string; isKey: boolean }
  /** Null: at the same time. */
  | {
      kind: "edit entry";
      blog: number;
      entry: number;
      value: string;
      isKey: boolean;
      minutesAgo: number | null;
    }
  | { kind: "withdraw entry"; blog: number; entry: number; on: boolean }
  | { kind: "like entry"; blog: number; entry: number; on: boolean }
  | { kind: "summary"; blog: number; value: string };

/** The live blog of two people that is on air from the beginning, with more entries than a page shows at once. */
export const liveBlog = { by: 1, coAuthor: 2, blog: 7, entries: 32 };

/** Returns a blog and who acts: rarely somebody who may not. Most acts are about the live blog. */
function blogAndActor(random: Random, { blogs }: PlanState): { blog: number; by: number } {
  const blog = random.chance(0.8) ? liveBlog.blog : random.integer(blogs.length);
  const by = blogs[blog]!.by;
  if (random.chance(0.6)) return { blog, by };
  return { blog, by: blog === liveBlog.blog && random.chance(0.8) ? liveBlog.coAuthor : random.integer(4) };
}

/** Returns an entry: most often one of the plan, or one at either end of those that were there before. */
function anyEntry(random: Random, { entries }: PlanState): { blog: number; entry: number; by: number } {
  const newest = entries.length - 1;
  const entry = random.pickWeighted([
    [6, random.between(Math.min(newest, liveBlog.entries - 3), newest)],
    [2, random.between(0, 3)],
    [1, random.integer(entries.length)],
  ]);
  return { entry, ...entries[entry]! };
}

const word = (state: PlanState): string => `unseen${++state.count}x`;

/** Returns who changes an entry: its author, the blog's owner, or rarely somebody who may not. */
const editorOf = (random: Random, { blogs }: PlanState, entry: { by: number; blog: number }): number =>
  random.pickWeighted([
    [5, entry.by],
    [4, blogs[entry.blog]!.by],
    [1, random.integer(4)],
  ]);

export const entryActionGenerators: [number, (random: Random, state: PlanState) => GeneratedAction][] = [
  [5, (random, state) => ({ kind: "on air", ...blogAndActor(random, state), on: random.chance(0.6) })],
  [
    16,
    (random, state) => {
      const { blog, by } = blogAndActor(random, state);
      const entry = state.entries.push({ blog, by }) - 1;
      return { kind: "post entry", blog, by, entry, value: word(state), isKey: random.chance(0.3) };
    },
  ],
  [
    9,
    (random, state) => {
      const entry = anyEntry(random, state);
      return {
        kind: "edit entry",
        ...entry,
        by: editorOf(random, state, entry),
        value: word(state),
        isKey: random.chance(0.3),
        minutesAgo: random.pick([null, null, 0, 1, 30, 50_000]),
      };
    },
  ],
  [
    8,
    (random, state) => {
      const entry = anyEntry(random, state);
      return {
        kind: "withdraw entry",
        ...entry,
        by: editorOf(random, state, entry),
        on: random.chance(0.6),
      };
    },
  ],
  [
    6,
    (random, state) => ({
      kind: "like entry",
      ...anyEntry(random, state),
      by: random.integer(4),
      on: random.chance(0.75),
    }),
  ],
  [2, (random, state) => ({ kind: "summary", ...blogAndActor(random, state), value: word(state) })],
  // Rights in the live blog that are given and taken.
  [
    3,
    (random) => ({
      kind: "visibility",
      blog: liveBlog.blog,
      by: liveBlog.by,
      as: random.pick(["public", "private", "draft"] as const),
    }),
  ],
  [
    1.5,
    (random) => ({
      kind: "share",
      blog: liveBlog.blog,
      by: liveBlog.by,
      person: random.pick([liveBlog.coAuthor, liveBlog.coAuthor, 0, 3]),
      on: random.chance(0.5),
    }),
  ],
  [
    1.5,
    (random) => {
      const [by, person] = random.pick([
        [liveBlog.by, liveBlog.coAuthor],
        [0, liveBlog.coAuthor],
        [0, liveBlog.by],
        [liveBlog.coAuthor, 0],
      ] as const);
      return { kind: "block", by, person, on: random.chance(0.7) };
    },
  ],
];
