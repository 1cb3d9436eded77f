import { seededRandom } from "../../scripts/demo/random.ts";
import { commenters, type Commenters } from "../../src/shared/blogs.ts";
import type { Mark } from "../../src/shared/comments.ts";
import type { SubscriptionLevel } from "../../src/shared/notification-inputs.ts";
import { notificationTopicNames, type NotificationTopic } from "../../src/shared/notifications.ts";
import type { ProfileTab } from "../../src/shared/routes.ts";
import { entryActionGenerators, liveBlog, type EntryAction } from "./entry-generator.ts";
import {
  draftActionGenerators,
  generateFollowedDrafts,
  sharedDraft,
  type DraftAction,
  type FollowedDraft,
} from "./draft-generator.ts";

/* The generator of histories: which pages are open and what happens. A seed always gives the same plan, not the same timing. */

/** A person by their number in `initialData`; `null` is a guest. */
export type PersonIndex = number | null;

/** A page that is open throughout. */
export type OpenedPage = { who: PersonIndex } & (
  | { page: "home" | "home, page 2" | "home, most liked" | "home, following" | "landing" }
  | { page: "my blogs" | "requests" | "notifications" }
  | { page: "blog"; blog: number }
  | { page: "profile"; of: number; tab: ProfileTab }
  | { page: "followers" | "following"; of: number }
  | { page: "search for blogs" | "search for people"; words: string }
  | { page: "tag" | "tag, most liked"; tag: string }
);

/** People's actions. `by` is the person; blogs and comments are numbered in the order of the plan. */
type Action =
  | DraftAction
  | EntryAction
  | { kind: "publish"; blog: number; title: string; as: Visibility; hasCover: boolean }
  | { kind: "title" | "description" | "text" | "tags"; blog: number; value: string }
  | { kind: "title in the form"; blog: number; value: string }
  | { kind: "cover"; blog: number; on: boolean }
  | { kind: "visibility"; blog: number; as: Visibility }
  | { kind: "restore"; blog: number }
  | { kind: "publish later"; blog: number; seconds: number }
  | { kind: "delete blog"; blog: number }
  | { kind: "comment"; blog: number; comment: number; value: string }
  | { kind: "reply"; blog: number; comment: number; to: number; value: string }
  | { kind: "edit comment"; blog: number; comment: number; value: string }
  | { kind: "delete comment"; blog: number; comment: number }
  | { kind: "like comment"; blog: number; comment: number; on: boolean }
  | { kind: "mark comment"; blog: number; comment: number; mark: Mark | null }
  | { kind: "who comments"; blog: number; from: Commenters }
  | { kind: "approve" | "refuse"; blog: number }
  | { kind: "block" | "mute" | "suspend"; person: number; on: boolean }
  | { kind: "watch"; blog: number; level: SubscriptionLevel | null }
  | { kind: "told"; of: NotificationTopic; on: boolean }
  | { kind: "like" | "save"; blog: number; on: boolean }
  | { kind: "follow"; person: number; on: boolean }
  | { kind: "accept" | "reject" }
  | { kind: "put back" }
  | { kind: "remove follower" }
  | { kind: "name" | "username" | "bio"; value: string }
  | { kind: "picture"; on: boolean }
  | { kind: "private account"; on: boolean }
  | {
      kind: "show";
      what: "showLikedBlogs" | "showSavedBlogs" | "showFollowers" | "showPresence";
      on: boolean;
    }
  | { kind: "interests"; value: string }
  | { kind: "follow tag"; tag: string; on: boolean }
  | { kind: "read notifications" }
  | { kind: "delete account" }
  | { kind: "sign out" | "sign in" };

export type Visibility = "public" | "private" | "draft";

/**
 * Faults of the server, the network and the machines. `window` is an index of `opened`, `line` names whose connection it is.
 */
type Fault =
  | { kind: "cut" | "swallow" | "swallow all" | "heal"; line: PersonIndex }
  | { kind: "refuse sockets" | "swallow sockets" | "hold streams"; line: PersonIndex }
  | { kind: "cut after"; line: PersonIndex; bytes: number; way: "up" | "down" }
  | { kind: "offline" | "online" | "sleep" | "wake"; line: PersonIndex }
  | { kind: "freeze" | "thaw" | "leave and come back" | "click and go back" | "reload"; window: number }
  | { kind: "clock"; window: number; minutes: number }
  | { kind: "kill the server" | "restore the store" };

/** `through`: in an open window if possible, or by an API client. `apart`: the next act does not wait for this one. */
export type Act = (Action & { by: number; through: "window" | "client"; apart: boolean }) | Fault;

export interface Plan {
  seed: number;
  opened: OpenedPage[];
  followed: FollowedDraft[];
  acts: Act[];
}

/** What the database has before a history begins (world.ts creates it). */
export const initialData = {
  people: ["Ana Torres", "Ben Oke", "Cleo Marsh", "Dora Vale"],
  /** The first account, which is the administrator's. */
  admin: 0,
  /** `private` has a private account; `requester` requests to follow them. */
  private: 3,
  requester: 2,
  blogs: [
    { by: 0, title: "Owls at night" },
    { by: 0, title: "Rain, mostly" },
    { by: 1, title: "Snow at night" },
    { by: 1, title: "Fog, mostly" },
    { by: 2, title: "Hail at night" },
    { by: 3, title: "Moths, mostly" },
    { by: sharedDraft.by, title: "Newts at night", as: "draft" },
    { by: liveBlog.by, title: "Geese, mostly" },
  ],
  comments: [
    { by: 1, blog: 0 },
    { by: 2, blog: 0 },
    { by: 0, blog: 2 },
  ],
  /** Of the live blog, oldest first. */
  entries: Array.from({ length: liveBlog.entries }, (_, entry) => ({
    by: entry % 2 === 0 ? liveBlog.by : liveBlog.coAuthor,
    blog: liveBlog.blog,
  })),
  follows: [
    [2, 3],
    [1, 0],
    [0, 1],
  ] as const,
};

const words = ["owls", "rain", "snow", "fog", "hail", "moths"];

/** The source of all randomness of a history. */
export class Random {
  readonly random: () => number;
  constructor(seed: number) {
    // Consecutive seeds begin with similar numbers.
    const next = seededRandom(seed * 7919 + 17);
    for (let turn = 0; turn < 8; turn++) next();
    this.random = next;
  }
  integer = (below: number): number => Math.floor(this.random() * below);
  between = (min: number, max: number): number => min + this.integer(max - min + 1);
  chance = (probability: number): boolean => this.random() < probability;
  pick = <T>(list: readonly T[]): T => list[this.integer(list.length)] as T;
  pickWeighted = <T>(list: readonly (readonly [weight: number, T, ...unknown[]])[]): T => {
    let remaining = this.random() * list.reduce((sum, [weight]) => sum + weight, 0);
    return (list.find(([weight]) => (remaining -= weight) < 0) ?? list[0]!)[1];
  };
}

export interface PlanState {
  blogs: { by: number }[];
  comments: { by: number; blog: number }[];
  entries: { by: number; blog: number }[];
  lines: PersonIndex[];
  windows: number;
  count: number;
}

export type GeneratedAction = Action & { by?: number };

const visibility = (random: Random): Visibility =>
  random.pickWeighted([
    [4, "public"],
    [2, "private"],
    [2, "draft"],
  ]);
const sentence = (random: Random, state: PlanState): string => `${random.pick(words)} ${++state.count}`;
/** Returns a comment's text, sometimes with a mention by the person's first username. */
const commentText = (random: Random, state: PlanState): string =>
  random.chance(0.3)
    ? `${sentence(random, state)} @${initialData.people[person(random)]!.replace(" ", "").toLowerCase()}`
    : sentence(random, state);
const person = (random: Random): number => random.integer(initialData.people.length);
const ownBlog = (random: Random, state: PlanState) => {
  const blog = random.integer(state.blogs.length);
  return { blog, by: state.blogs[blog]!.by };
};
const anyBlog = (random: Random, state: PlanState): number =>
  // Comments gather at one blog.
  random.chance(0.5) ? 0 : random.integer(state.blogs.length);
const anyComment = (random: Random, state: PlanState) => {
  const comment = random.integer(state.comments.length);
  return { comment, ...state.comments[comment]! };
};

const personAndOther = (random: Random) => {
  const by = person(random);
  return { by, person: random.pick([0, 1, 2, 3].filter((other) => other !== by)) };
};

/** Actions marked `late` come last: little can happen after them. */
const actionGenerators: [
  weight: number,
  make: (random: Random, state: PlanState) => GeneratedAction,
  late?: "late",
][] = [
  ...draftActionGenerators,
  ...entryActionGenerators,
  [
    6,
    (random, state) => {
      const by = person(random);
      const blog = state.blogs.push({ by }) - 1;
      const title = sentence(random, state);
      return { kind: "publish", by, blog, title, as: visibility(random), hasCover: random.chance(0.4) };
    },
  ],
  [
    8,
    (random, state) => ({
      kind: random.pick(["title", "title", "description", "text", "tags"] as const),
      ...ownBlog(random, state),
      value: sentence(random, state),
    }),
  ],
  [
    1,
    (random, state) => ({
      kind: "title in the form",
      ...ownBlog(random, state),
      value: sentence(random, state),
    }),
  ],
  [2, (random, state) => ({ kind: "cover", ...ownBlog(random, state), on: random.chance(0.7) })],
  [5, (random, state) => ({ kind: "visibility", ...ownBlog(random, state), as: visibility(random) })],
  [1, (random, state) => ({ kind: "restore", ...ownBlog(random, state) })],
  [
    2,
    (random, state) => ({
      kind: "publish later",
      ...ownBlog(random, state),
      seconds: random.pick([1, 2, 3_600]),
    }),
  ],
  [2, (random, state) => ({ kind: "delete blog", ...ownBlog(random, state) })],
  [
    10,
    (random, state) => {
      const [by, blog] = [person(random), anyBlog(random, state)];
      const comment = state.comments.push({ by, blog }) - 1;
      return { kind: "comment", by, blog, comment, value: commentText(random, state) };
    },
  ],
  [
    5,
    (random, state) => {
      const { comment: to, blog } = anyComment(random, state);
      const by = person(random);
      const comment = state.comments.push({ by, blog }) - 1;
      return { kind: "reply", by, blog, comment, to, value: commentText(random, state) };
    },
  ],
  [
    3,
    (random, state) => ({
      kind: "edit comment",
      ...anyComment(random, state),
      value: commentText(random, state),
    }),
  ],
  [
    3,
    (random, state) => {
      const comment = anyComment(random, state);
      return {
        kind: "delete comment",
        ...comment,
        by: random.chance(0.3) ? state.blogs[comment.blog]!.by : comment.by,
      };
    },
  ],
  [
    4,
    (random, state) => ({
      kind: "like comment",
      ...anyComment(random, state),
      by: person(random),
      on: random.chance(0.75),
    }),
  ],
  [
    2,
    (random, state) => {
      const comment = anyComment(random, state);
      const mark = random.pick(["pinned", "hidden", null] as const);
      return { kind: "mark comment", ...comment, by: state.blogs[comment.blog]!.by, mark };
    },
  ],
  [
    2,
    (random, state) => ({ kind: "who comments", ...ownBlog(random, state), from: random.pick(commenters) }),
  ],
  [
    2,
    (random, state) => ({
      kind: random.pick(["approve", "approve", "refuse"] as const),
      ...ownBlog(random, state),
    }),
  ],
  [3, (random) => ({ kind: "block", ...personAndOther(random), on: random.chance(0.6) })],
  [2, (random) => ({ kind: "mute", ...personAndOther(random), on: random.chance(0.6) })],
  [
    1.5,
    (random) => ({
      kind: "suspend",
      by: initialData.admin,
      person: random.between(1, 3),
      on: random.chance(0.5),
    }),
  ],
  [
    2,
    (random, state) => ({
      kind: "watch",
      blog: anyBlog(random, state),
      level: random.pick(["follow", "mute", null] as const),
    }),
  ],
  [1, (random) => ({ kind: "told", of: random.pick(notificationTopicNames), on: random.chance(0.6) })],
  [6, (random, state) => ({ kind: "like", blog: anyBlog(random, state), on: random.chance(0.75) })],
  [3, (random, state) => ({ kind: "save", blog: anyBlog(random, state), on: random.chance(0.75) })],
  [
    7,
    (random) => {
      const by = person(random);
      const others = [0, 1, 2, 3, initialData.private].filter((other) => other !== by);
      return { kind: "follow", by, person: random.pick(others), on: random.chance(0.7) };
    },
  ],
  [
    4,
    (random) => ({
      kind: random.pick(["accept", "accept", "reject"] as const),
      by: random.chance(0.7) ? initialData.private : person(random),
    }),
  ],
  [1, () => ({ kind: "put back", by: initialData.private })],
  [2, () => ({ kind: "remove follower" })],
  [
    3,
    (random, state) => {
      const by = person(random);
      return {
        kind: "name",
        by,
        value: `${initialData.people[by]!.split(" ")[0]} ${sentence(random, state)}`,
      };
    },
  ],
  [2, (_, state) => ({ kind: "username", value: `someone-${++state.count}` })],
  [1, (random, state) => ({ kind: "bio", value: sentence(random, state) })],
  [2, (random) => ({ kind: "picture", on: random.chance(0.7) })],
  [3, (random) => ({ kind: "private account", on: random.chance(0.5) })],
  // The private account has a waiting request from the start.
  [1.5, () => ({ kind: "private account", by: initialData.private, on: false })],
  [
    2,
    (random) => ({
      kind: "show",
      what: random.pick(["showLikedBlogs", "showSavedBlogs", "showFollowers", "showPresence"] as const),
      on: random.chance(0.5),
    }),
  ],
  [1, (random) => ({ kind: "interests", value: random.pick(words) })],
  [2, (random) => ({ kind: "follow tag", tag: random.pick(words), on: random.chance(0.7) })],
  [2, () => ({ kind: "read notifications" })],
  [2, () => ({ kind: "delete account" }), "late"],
  [2, () => ({ kind: "sign out" }), "late"],
  [1.5, () => ({ kind: "sign in" })],
];

const faultGenerators: [number, (random: Random, state: PlanState) => Fault][] = [
  [3, (random, { lines }) => ({ kind: "cut", line: random.pick(lines) })],
  [
    4,
    (random, { lines }) => ({
      kind: "cut after",
      line: random.pick(lines),
      bytes: random.between(1, random.chance(0.5) ? 400 : 8000),
      way: random.chance(0.6) ? "down" : "up",
    }),
  ],
  [1.5, (random, { lines }) => ({ kind: "swallow", line: random.pick(lines) })],
  [0.7, (random, { lines }) => ({ kind: "swallow all", line: random.pick(lines) })],
  [
    1.2,
    (random, { lines }) => ({
      kind: random.pick(["refuse sockets", "swallow sockets", "hold streams"] as const),
      line: random.pick(lines),
    }),
  ],
  [1, (random, { lines }) => ({ kind: "heal", line: random.pick(lines) })],
  [
    1.5,
    (random, { lines }) => ({ kind: random.pick(["offline", "online"] as const), line: random.pick(lines) }),
  ],
  [2, (random, { lines }) => ({ kind: random.pick(["sleep", "wake"] as const), line: random.pick(lines) })],
  [
    3,
    (random, { windows }) => ({
      kind: random.pick(["freeze", "freeze", "thaw"] as const),
      window: random.integer(windows),
    }),
  ],
  [2, (random, { windows }) => ({ kind: "leave and come back", window: random.integer(windows) })],
  [2, (random, { windows }) => ({ kind: "click and go back", window: random.integer(windows) })],
  [0.7, (random, { windows }) => ({ kind: "reload", window: random.integer(windows) })],
  [
    1,
    (random, { windows }) => ({
      kind: "clock",
      window: random.integer(windows),
      minutes: random.pick([-600, -5, 5, 3000]),
    }),
  ],
  [1.5, () => ({ kind: "kill the server" })],
  [0.3, () => ({ kind: "restore the store" })],
];

function generateOpenedPage(random: Random, cast: readonly number[]): OpenedPage {
  const member = random.pick(cast);
  const who: PersonIndex = random.chance(0.3) ? null : member;
  const profileOwner = random.chance(0.4) ? member : person(random);
  const tab = random.pickWeighted<ProfileTab>([
    [4, "blogs"],
    [1, "liked-blogs"],
    [1, "saved-blogs"],
    [1, "private-blogs"],
    [1, "draft-blogs"],
  ]);
  return random.pickWeighted<() => OpenedPage>([
    [3, () => ({ who, page: "home" })],
    [1, () => ({ who, page: "home, page 2" })],
    [1, () => ({ who, page: "home, most liked" })],
    [2, () => ({ who: member, page: "home, following" })],
    [1, () => ({ who: null, page: "landing" })],
    [
      4,
      () => ({ who, page: "blog", blog: random.chance(0.5) ? 0 : random.integer(initialData.blogs.length) }),
    ],
    [3, () => ({ who, page: "profile", of: profileOwner, tab })],
    [1, () => ({ who, page: "followers", of: profileOwner })],
    [1, () => ({ who, page: "following", of: profileOwner })],
    [1, () => ({ who: random.chance(0.6) ? initialData.private : member, page: "requests" })],
    [1.5, () => ({ who: member, page: "notifications" })],
    [1, () => ({ who, page: "search for blogs", words: random.pick(words) })],
    [
      1,
      () => ({
        who,
        page: "search for people",
        words: random.pick(initialData.people).split(" ")[0]!.toLowerCase(),
      }),
    ],
    [3, () => ({ who: member, page: "my blogs" })],
    [1.5, () => ({ who: member, page: "profile", of: member, tab: "draft-blogs" })],
    [
      2,
      () => ({
        who: random.pick([sharedDraft.by, sharedDraft.coAuthor]),
        page: "blog",
        blog: sharedDraft.blog,
      }),
    ],
    [4, () => ({ who, page: "blog", blog: liveBlog.blog })],
    [2, () => ({ who, page: "tag", tag: random.pick(words) })],
    [1, () => ({ who, page: "tag, most liked", tag: random.pick(words) })],
  ])();
}

/** Returns the history of a seed. A calm one has no faults, and each act waits for the one before. */
export function generatePlan(seed: number, { calm = false } = {}): Plan {
  const random = new Random(seed);
  const first = person(random);
  const cast = [first, random.pick([0, 1, 2, 3].filter((other) => other !== first))];
  const opened = Array.from({ length: random.between(4, 6) }, () => generateOpenedPage(random, cast));
  const followed = generateFollowedDrafts(random);
  const state: PlanState = {
    blogs: [...initialData.blogs],
    comments: [...initialData.comments],
    entries: [...initialData.entries],
    lines: [...new Set([...opened, ...followed].map(({ who }) => who))],
    windows: opened.length,
    count: 0,
  };
  const length = random.between(12, 25);
  const acts = Array.from({ length }, (_, index): Act | null => {
    if (random.chance(0.25)) {
      const fault = random.pickWeighted(faultGenerators)(random, state);
      return calm ? null : fault;
    }
    const isLate = index > length * 0.7;
    const action = random.pickWeighted(actionGenerators.filter(([, , late]) => isLate || !late))(
      random,
      state,
    );
    return {
      ...action,
      // People with open windows do more than the others.
      by: action.by ?? (random.chance(0.6) ? random.pick(cast) : person(random)),
      through: random.chance(0.6) ? "window" : "client",
      apart: random.chance(0.4) && !calm,
    };
  });
  return { seed, opened, followed, acts: acts.filter((act) => act !== null) };
}

export const personName = (who: PersonIndex): string =>
  who === null ? "a guest" : initialData.people[who]!.split(" ")[0]!;

export function describePage(opened: OpenedPage): string {
  const { who, page } = opened;
  const details = Object.entries(opened).flatMap(([key, value]) =>
    key === "who" || key === "page"
      ? []
      : [key === "of" ? `of ${personName(value as number)}` : `${key} ${value}`],
  );
  return `${page}${details.length > 0 ? ` (${details.join(", ")})` : ""} open by ${personName(who)}`;
}

export function describeAct(act: Act): string {
  const { kind, ...rest } = act;
  const details = Object.entries(rest).flatMap(([key, value]) => {
    if (key === "by" || key === "apart" || key === "through") return [];
    if (key === "line") return [`of ${personName(value as PersonIndex)}`];
    if (key === "person") return [personName(value as number)];
    return [`${key} ${value}`];
  });
  const who = "by" in act ? `${personName(act.by)}: ` : "";
  const execution = "by" in act ? ` [${act.through}${act.apart ? ", apart" : ""}]` : "";
  return `${who}${kind}${details.length > 0 ? ` ${details.join(", ")}` : ""}${execution}`;
}
