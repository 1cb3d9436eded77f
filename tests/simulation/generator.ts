import { seededRandom } from "../../scripts/demo/random.ts";
import { commenters, type Commenters } from "../../src/shared/blogs.ts";
import type { Mark } from "../../src/shared/comments.ts";
import {
  notificationTopics,
  type SubscriptionLevel,
  type NotificationTopic,
} from "../../src/shared/notifications.ts";
import type { ProfileTab } from "../../src/shared/routes.ts";

/* The generator of histories: which pages are open and what happens. A seed always gives the same plan, not the same timing. */

/** A person by their number in `before`; `null` is a guest. */
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
  acts: Act[];
}

/** What the database has before a history begins (world.ts creates it). */
export const initialData = {
  people: ["Ana Torres", "Ben Oke", "Cleo Marsh", "Dora Vale"],
  /** The first account, which is the administrator's. */
  admin: 0,
  /** `private` has a private account; `asking` requests to follow them. */
  private: 3,
  requester: 2,
  blogs: [
    { by: 0, title: "Owls at night" },
    { by: 0, title: "Rain, mostly" },
    { by: 1, title: "Snow at night" },
    { by: 1, title: "Fog, mostly" },
    { by: 2, title: "Hail at night" },
    { by: 3, title: "Moths, mostly" },
  ],
  comments: [
    { by: 1, blog: 0 },
    { by: 2, blog: 0 },
    { by: 0, blog: 2 },
  ],
};

const words = ["owls", "rain", "snow", "fog", "hail", "moths"];

/** The source of all randomness of a history. */
class Random {
  readonly random: () => number;
  constructor(seed: number) {
    // Consecutive seeds begin with similar numbers.
    const warm = seededRandom(seed * 7919 + 17);
    for (let turn = 0; turn < 8; turn++) warm();
    this.random = warm;
  }
  integer = (below: number): number => Math.floor(this.random() * below);
  between = (least: number, most: number): number => least + this.integer(most - least + 1);
  chance = (of: number): boolean => this.random() < of;
  pick = <T>(list: readonly T[]): T => list[this.integer(list.length)] as T;
  pickWeighted = <T>(list: readonly (readonly [weight: number, T, ...unknown[]])[]): T => {
    let left = this.random() * list.reduce((sum, [weight]) => sum + weight, 0);
    return (list.find(([weight]) => (left -= weight) < 0) ?? list[0]!)[1];
  };
}

interface PlanState {
  blogs: { by: number }[];
  comments: { by: number; blog: number }[];
  lines: PersonIndex[];
  windows: number;
  count: number;
}

type GeneratedAction = Action & { by?: number };

const visibility = (draw: Random): Visibility =>
  draw.pickWeighted([
    [4, "public"],
    [2, "private"],
    [2, "draft"],
  ]);
const sentence = (draw: Random, known: PlanState): string => `${draw.pick(words)} ${++known.count}`;
/** Returns a comment's text, sometimes with a mention by the person's first username. */
const commentText = (draw: Random, known: PlanState): string =>
  draw.chance(0.3)
    ? `${sentence(draw, known)} @${initialData.people[person(draw)]!.replace(" ", "").toLowerCase()}`
    : sentence(draw, known);
const person = (draw: Random): number => draw.integer(initialData.people.length);
const ownBlog = (draw: Random, known: PlanState) => {
  const blog = draw.integer(known.blogs.length);
  return { blog, by: known.blogs[blog]!.by };
};
const anyBlog = (draw: Random, known: PlanState): number =>
  // Comments gather at one blog.
  draw.chance(0.5) ? 0 : draw.integer(known.blogs.length);
const anyComment = (draw: Random, known: PlanState) => {
  const comment = draw.integer(known.comments.length);
  return { comment, ...known.comments[comment]! };
};

const personAndOther = (draw: Random) => {
  const by = person(draw);
  return { by, person: draw.pick([0, 1, 2, 3].filter((one) => one !== by)) };
};

/** Actions marked `late` come last: little can happen after them. */
const actionGenerators: [
  weight: number,
  make: (draw: Random, known: PlanState) => GeneratedAction,
  late?: "late",
][] = [
  [
    6,
    (draw, known) => {
      const by = person(draw);
      const blog = known.blogs.push({ by }) - 1;
      const title = sentence(draw, known);
      return { kind: "publish", by, blog, title, as: visibility(draw), hasCover: draw.chance(0.4) };
    },
  ],
  [
    8,
    (draw, known) => ({
      kind: draw.pick(["title", "title", "description", "text", "tags"] as const),
      ...ownBlog(draw, known),
      value: sentence(draw, known),
    }),
  ],
  [
    1,
    (draw, known) => ({
      kind: "title in the form",
      ...ownBlog(draw, known),
      value: sentence(draw, known),
    }),
  ],
  [2, (draw, known) => ({ kind: "cover", ...ownBlog(draw, known), on: draw.chance(0.7) })],
  [5, (draw, known) => ({ kind: "visibility", ...ownBlog(draw, known), as: visibility(draw) })],
  [1, (draw, known) => ({ kind: "restore", ...ownBlog(draw, known) })],
  [
    2,
    (draw, known) => ({
      kind: "publish later",
      ...ownBlog(draw, known),
      seconds: draw.pick([1, 2, 3_600]),
    }),
  ],
  [2, (draw, known) => ({ kind: "delete blog", ...ownBlog(draw, known) })],
  [
    10,
    (draw, known) => {
      const [by, blog] = [person(draw), anyBlog(draw, known)];
      const comment = known.comments.push({ by, blog }) - 1;
      return { kind: "comment", by, blog, comment, value: commentText(draw, known) };
    },
  ],
  [
    5,
    (draw, known) => {
      const { comment: to, blog } = anyComment(draw, known);
      const by = person(draw);
      const comment = known.comments.push({ by, blog }) - 1;
      return { kind: "reply", by, blog, comment, to, value: commentText(draw, known) };
    },
  ],
  [
    3,
    (draw, known) => ({ kind: "edit comment", ...anyComment(draw, known), value: commentText(draw, known) }),
  ],
  [
    3,
    (draw, known) => {
      const one = anyComment(draw, known);
      return {
        kind: "delete comment",
        ...one,
        by: draw.chance(0.3) ? known.blogs[one.blog]!.by : one.by,
      };
    },
  ],
  [
    4,
    (draw, known) => ({
      kind: "like comment",
      ...anyComment(draw, known),
      by: person(draw),
      on: draw.chance(0.75),
    }),
  ],
  [
    2,
    (draw, known) => {
      const one = anyComment(draw, known);
      const mark = draw.pick(["pinned", "hidden", null] as const);
      return { kind: "mark comment", ...one, by: known.blogs[one.blog]!.by, mark };
    },
  ],
  [2, (draw, known) => ({ kind: "who comments", ...ownBlog(draw, known), from: draw.pick(commenters) })],
  [
    2,
    (draw, known) => ({
      kind: draw.pick(["approve", "approve", "refuse"] as const),
      ...ownBlog(draw, known),
    }),
  ],
  [3, (draw) => ({ kind: "block", ...personAndOther(draw), on: draw.chance(0.6) })],
  [2, (draw) => ({ kind: "mute", ...personAndOther(draw), on: draw.chance(0.6) })],
  [
    1.5,
    (draw) => ({ kind: "suspend", by: initialData.admin, person: draw.between(1, 3), on: draw.chance(0.5) }),
  ],
  [
    2,
    (draw, known) => ({
      kind: "watch",
      blog: anyBlog(draw, known),
      level: draw.pick(["follow", "mute", null] as const),
    }),
  ],
  [1, (draw) => ({ kind: "told", of: draw.pick(notificationTopics), on: draw.chance(0.6) })],
  [6, (draw, known) => ({ kind: "like", blog: anyBlog(draw, known), on: draw.chance(0.75) })],
  [3, (draw, known) => ({ kind: "save", blog: anyBlog(draw, known), on: draw.chance(0.75) })],
  [
    7,
    (draw) => {
      const by = person(draw);
      const others = [0, 1, 2, 3, initialData.private].filter((one) => one !== by);
      return { kind: "follow", by, person: draw.pick(others), on: draw.chance(0.7) };
    },
  ],
  [
    4,
    (draw) => ({
      kind: draw.pick(["accept", "accept", "reject"] as const),
      by: draw.chance(0.7) ? initialData.private : person(draw),
    }),
  ],
  [1, () => ({ kind: "put back", by: initialData.private })],
  [2, () => ({ kind: "remove follower" })],
  [
    3,
    (draw, known) => {
      const by = person(draw);
      return { kind: "name", by, value: `${initialData.people[by]!.split(" ")[0]} ${sentence(draw, known)}` };
    },
  ],
  [2, (_, known) => ({ kind: "username", value: `someone-${++known.count}` })],
  [1, (draw, known) => ({ kind: "bio", value: sentence(draw, known) })],
  [2, (draw) => ({ kind: "picture", on: draw.chance(0.7) })],
  [3, (draw) => ({ kind: "private account", on: draw.chance(0.5) })],
  [
    2,
    (draw) => ({
      kind: "show",
      what: draw.pick(["showLikedBlogs", "showSavedBlogs", "showFollowers", "showPresence"] as const),
      on: draw.chance(0.5),
    }),
  ],
  [1, (draw) => ({ kind: "interests", value: draw.pick(words) })],
  [2, (draw) => ({ kind: "follow tag", tag: draw.pick(words), on: draw.chance(0.7) })],
  [2, () => ({ kind: "read notifications" })],
  [2, () => ({ kind: "delete account" }), "late"],
  [2, () => ({ kind: "sign out" }), "late"],
  [1.5, () => ({ kind: "sign in" })],
];

const faultGenerators: [number, (draw: Random, known: PlanState) => Fault][] = [
  [3, (draw, { lines }) => ({ kind: "cut", line: draw.pick(lines) })],
  [
    4,
    (draw, { lines }) => ({
      kind: "cut after",
      line: draw.pick(lines),
      bytes: draw.between(1, draw.chance(0.5) ? 400 : 8000),
      way: draw.chance(0.6) ? "down" : "up",
    }),
  ],
  [1.5, (draw, { lines }) => ({ kind: "swallow", line: draw.pick(lines) })],
  [0.7, (draw, { lines }) => ({ kind: "swallow all", line: draw.pick(lines) })],
  [
    1.2,
    (draw, { lines }) => ({
      kind: draw.pick(["refuse sockets", "swallow sockets", "hold streams"] as const),
      line: draw.pick(lines),
    }),
  ],
  [1, (draw, { lines }) => ({ kind: "heal", line: draw.pick(lines) })],
  [1.5, (draw, { lines }) => ({ kind: draw.pick(["offline", "online"] as const), line: draw.pick(lines) })],
  [2, (draw, { lines }) => ({ kind: draw.pick(["sleep", "wake"] as const), line: draw.pick(lines) })],
  [
    3,
    (draw, { windows }) => ({
      kind: draw.pick(["freeze", "freeze", "thaw"] as const),
      window: draw.integer(windows),
    }),
  ],
  [2, (draw, { windows }) => ({ kind: "leave and come back", window: draw.integer(windows) })],
  [2, (draw, { windows }) => ({ kind: "click and go back", window: draw.integer(windows) })],
  [0.7, (draw, { windows }) => ({ kind: "reload", window: draw.integer(windows) })],
  [
    1,
    (draw, { windows }) => ({
      kind: "clock",
      window: draw.integer(windows),
      minutes: draw.pick([-600, -5, 5, 3000]),
    }),
  ],
  [1.5, () => ({ kind: "kill the server" })],
  [0.3, () => ({ kind: "restore the store" })],
];

function generateOpenedPage(draw: Random, cast: readonly number[]): OpenedPage {
  const member = draw.pick(cast);
  const who: PersonIndex = draw.chance(0.3) ? null : member;
  const of = draw.chance(0.4) ? member : person(draw);
  const tab = draw.pickWeighted<ProfileTab>([
    [4, "blogs"],
    [1, "liked-blogs"],
    [1, "saved-blogs"],
    [1, "private-blogs"],
    [1, "draft-blogs"],
  ]);
  return draw.pickWeighted<() => OpenedPage>([
    [3, () => ({ who, page: "home" })],
    [1, () => ({ who, page: "home, page 2" })],
    [1, () => ({ who, page: "home, most liked" })],
    [2, () => ({ who: member, page: "home, following" })],
    [1, () => ({ who: null, page: "landing" })],
    [4, () => ({ who, page: "blog", blog: draw.chance(0.5) ? 0 : draw.integer(initialData.blogs.length) })],
    [3, () => ({ who, page: "profile", of, tab })],
    [1, () => ({ who, page: "followers", of })],
    [1, () => ({ who, page: "following", of })],
    [1, () => ({ who: draw.chance(0.6) ? initialData.private : member, page: "requests" })],
    [1.5, () => ({ who: member, page: "notifications" })],
    [1, () => ({ who, page: "search for blogs", words: draw.pick(words) })],
    [
      1,
      () => ({
        who,
        page: "search for people",
        words: draw.pick(initialData.people).split(" ")[0]!.toLowerCase(),
      }),
    ],
    [1.5, () => ({ who: member, page: "my blogs" })],
    [2, () => ({ who, page: "tag", tag: draw.pick(words) })],
    [1, () => ({ who, page: "tag, most liked", tag: draw.pick(words) })],
  ])();
}

/** Returns the history of a seed. A calm one has no faults, and each act waits for the one before. */
export function generatePlan(seed: number, { calm = false } = {}): Plan {
  const draw = new Random(seed);
  const first = person(draw);
  const cast = [first, draw.pick([0, 1, 2, 3].filter((one) => one !== first))];
  const opened = Array.from({ length: draw.between(4, 6) }, () => generateOpenedPage(draw, cast));
  const known: PlanState = {
    blogs: [...initialData.blogs],
    comments: [...initialData.comments],
    lines: [...new Set(opened.map(({ who }) => who))],
    windows: opened.length,
    count: 0,
  };
  const length = draw.between(12, 25);
  const acts = Array.from({ length }, (_, index): Act | null => {
    if (draw.chance(0.25)) {
      const trouble = draw.pickWeighted(faultGenerators)(draw, known);
      return calm ? null : trouble;
    }
    const isLate = index > length * 0.7;
    const deed = draw.pickWeighted(actionGenerators.filter(([, , late]) => isLate || !late))(draw, known);
    return {
      ...deed,
      // People with open windows do more than the others.
      by: deed.by ?? (draw.chance(0.6) ? draw.pick(cast) : person(draw)),
      through: draw.chance(0.6) ? "window" : "client",
      apart: draw.chance(0.4) && !calm,
    };
  });
  return { seed, opened, acts: acts.filter((act) => act !== null) };
}

const name = (who: PersonIndex): string =>
  who === null ? "a guest" : initialData.people[who]!.split(" ")[0]!;

export function describePage(opened: OpenedPage): string {
  const { who, page } = opened;
  const more = Object.entries(opened).flatMap(([key, value]) =>
    key === "who" || key === "page" ? [] : [key === "of" ? `of ${name(value as number)}` : `${key} ${value}`],
  );
  return `${page}${more.length > 0 ? ` (${more.join(", ")})` : ""} open by ${name(who)}`;
}

export function describeAct(act: Act): string {
  const { kind, ...rest } = act;
  const more = Object.entries(rest).flatMap(([key, value]) => {
    if (key === "by" || key === "apart" || key === "through") return [];
    if (key === "line") return [`of ${name(value as PersonIndex)}`];
    if (key === "person") return [name(value as number)];
    return [`${key} ${value}`];
  });
  const who = "by" in act ? `${name(act.by)}: ` : "";
  const how = "by" in act ? ` [${act.through}${act.apart ? ", apart" : ""}]` : "";
  return `${who}${kind}${more.length > 0 ? ` ${more.join(", ")}` : ""}${how}`;
}
