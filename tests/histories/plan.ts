import { seededRandom } from "../../scripts/demo/random.ts";
import { commenters, type Commenters } from "../../src/shared/blogs.ts";
import type { Mark } from "../../src/shared/comments.ts";
import {
  notificationTopics,
  type SubscriptionLevel,
  type NotificationTopic,
} from "../../src/shared/notifications.ts";
import type { ProfileTab } from "../../src/shared/routes.ts";

/* A history: which pages stand open, and what happens then. The same seed gives the same one; when each thing happens is not promised. */

/** People are numbered as in scene.ts; `null` is a guest. */
export type Who = number | null;

/** A page that stands open from the beginning to the end. */
export type Opened = { who: Who } & (
  | { page: "home" | "home, page 2" | "home, most liked" | "home, following" | "landing" }
  | { page: "my blogs" | "requests" | "notifications" }
  | { page: "blog"; blog: number }
  | { page: "profile"; of: number; tab: ProfileTab }
  | { page: "followers" | "following"; of: number }
  | { page: "search for blogs" | "search for people"; words: string }
  | { page: "tag" | "tag, most liked"; tag: string }
);

/** What people do. `by` is who; blogs and comments are numbered in the order of the plan. */
type Deed =
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
  | { kind: "watch"; blog: number; way: SubscriptionLevel | null }
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

/** What happens to the server, the network, and the machines. `window` is a number of `opened`, `line` whose line it is. */
type Trouble =
  | { kind: "cut" | "swallow" | "swallow all" | "heal"; line: Who }
  | { kind: "refuse sockets" | "swallow sockets" | "hold streams"; line: Who }
  | { kind: "cut after"; line: Who; bytes: number; way: "up" | "down" }
  | { kind: "offline" | "online" | "sleep" | "wake"; line: Who }
  | { kind: "freeze" | "thaw" | "leave and come back" | "click and go back" | "reload"; window: number }
  | { kind: "clock"; window: number; minutes: number }
  | { kind: "kill the server" | "restore the store" };

/** `through`: with the mouse in one of the windows where that can be, or by a light client. `apart`: the next does not wait for it. */
export type Act = (Deed & { by: number; through: "window" | "client"; apart: boolean }) | Trouble;

export interface Plan {
  seed: number;
  opened: Opened[];
  acts: Act[];
}

/** What stands in the store before a history begins (scene.ts puts it there). */
export const before = {
  people: ["Ana Torres", "Ben Oke", "Cleo Marsh", "Dora Vale"],
  /** Whoever was there first. */
  admin: 0,
  /** The last of them has a private account, and the one before requests to follow her. */
  private: 3,
  asking: 2,
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

/** Everything random about a history comes from here. */
class Draw {
  readonly random: () => number;
  constructor(seed: number) {
    // Seeds that follow each other begin alike.
    const warm = seededRandom(seed * 7919 + 17);
    for (let turn = 0; turn < 8; turn++) warm();
    this.random = warm;
  }
  number = (below: number): number => Math.floor(this.random() * below);
  between = (least: number, most: number): number => least + this.number(most - least + 1);
  chance = (of: number): boolean => this.random() < of;
  one = <T>(list: readonly T[]): T => list[this.number(list.length)] as T;
  weighed = <T>(list: readonly (readonly [weight: number, T, ...unknown[]])[]): T => {
    let left = this.random() * list.reduce((sum, [weight]) => sum + weight, 0);
    return (list.find(([weight]) => (left -= weight) < 0) ?? list[0]!)[1];
  };
}

interface Known {
  blogs: { by: number }[];
  comments: { by: number; blog: number }[];
  lines: Who[];
  windows: number;
  count: number;
}

type Made = Deed & { by?: number };

const visibility = (draw: Draw): Visibility =>
  draw.weighed([
    [4, "public"],
    [2, "private"],
    [2, "draft"],
  ]);
const sentence = (draw: Draw, known: Known): string => `${draw.one(words)} ${++known.count}`;
/** What is said of a blog, and sometimes to somebody, by the name that they had at first. */
const said = (draw: Draw, known: Known): string =>
  draw.chance(0.3)
    ? `${sentence(draw, known)} @${before.people[person(draw)]!.replace(" ", "").toLowerCase()}`
    : sentence(draw, known);
const person = (draw: Draw): number => draw.number(before.people.length);
const ownBlog = (draw: Draw, known: Known) => {
  const blog = draw.number(known.blogs.length);
  return { blog, by: known.blogs[blog]!.by };
};
const anyBlog = (draw: Draw, known: Known): number =>
  // The talk is where there is talk already.
  draw.chance(0.5) ? 0 : draw.number(known.blogs.length);
const anyComment = (draw: Draw, known: Known) => {
  const comment = draw.number(known.comments.length);
  return { comment, ...known.comments[comment]! };
};

const another = (draw: Draw) => {
  const by = person(draw);
  return { by, person: draw.one([0, 1, 2, 3].filter((one) => one !== by)) };
};

/** `late` are those after which little is left to happen. */
const deeds: [weight: number, make: (draw: Draw, known: Known) => Made, late?: "late"][] = [
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
      kind: draw.one(["title", "title", "description", "text", "tags"] as const),
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
      seconds: draw.one([1, 2, 3_600]),
    }),
  ],
  [2, (draw, known) => ({ kind: "delete blog", ...ownBlog(draw, known) })],
  [
    10,
    (draw, known) => {
      const [by, blog] = [person(draw), anyBlog(draw, known)];
      const comment = known.comments.push({ by, blog }) - 1;
      return { kind: "comment", by, blog, comment, value: said(draw, known) };
    },
  ],
  [
    5,
    (draw, known) => {
      const { comment: to, blog } = anyComment(draw, known);
      const by = person(draw);
      const comment = known.comments.push({ by, blog }) - 1;
      return { kind: "reply", by, blog, comment, to, value: said(draw, known) };
    },
  ],
  [3, (draw, known) => ({ kind: "edit comment", ...anyComment(draw, known), value: said(draw, known) })],
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
      const mark = draw.one(["pinned", "hidden", null] as const);
      return { kind: "mark comment", ...one, by: known.blogs[one.blog]!.by, mark };
    },
  ],
  [2, (draw, known) => ({ kind: "who comments", ...ownBlog(draw, known), from: draw.one(commenters) })],
  [
    2,
    (draw, known) => ({ kind: draw.one(["approve", "approve", "refuse"] as const), ...ownBlog(draw, known) }),
  ],
  [3, (draw) => ({ kind: "block", ...another(draw), on: draw.chance(0.6) })],
  [2, (draw) => ({ kind: "mute", ...another(draw), on: draw.chance(0.6) })],
  [1.5, (draw) => ({ kind: "suspend", by: before.admin, person: draw.between(1, 3), on: draw.chance(0.5) })],
  [
    2,
    (draw, known) => ({
      kind: "watch",
      blog: anyBlog(draw, known),
      way: draw.one(["follow", "mute", null] as const),
    }),
  ],
  [1, (draw) => ({ kind: "told", of: draw.one(notificationTopics), on: draw.chance(0.6) })],
  [6, (draw, known) => ({ kind: "like", blog: anyBlog(draw, known), on: draw.chance(0.75) })],
  [3, (draw, known) => ({ kind: "save", blog: anyBlog(draw, known), on: draw.chance(0.75) })],
  [
    7,
    (draw) => {
      const by = person(draw);
      const others = [0, 1, 2, 3, before.private].filter((one) => one !== by);
      return { kind: "follow", by, person: draw.one(others), on: draw.chance(0.7) };
    },
  ],
  [
    4,
    (draw) => ({
      kind: draw.one(["accept", "accept", "reject"] as const),
      by: draw.chance(0.7) ? before.private : person(draw),
    }),
  ],
  [1, () => ({ kind: "put back", by: before.private })],
  [2, () => ({ kind: "remove follower" })],
  [
    3,
    (draw, known) => {
      const by = person(draw);
      return { kind: "name", by, value: `${before.people[by]!.split(" ")[0]} ${sentence(draw, known)}` };
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
      what: draw.one(["showLikedBlogs", "showSavedBlogs", "showFollowers", "showPresence"] as const),
      on: draw.chance(0.5),
    }),
  ],
  [1, (draw) => ({ kind: "interests", value: draw.one(words) })],
  [2, (draw) => ({ kind: "follow tag", tag: draw.one(words), on: draw.chance(0.7) })],
  [2, () => ({ kind: "read notifications" })],
  [2, () => ({ kind: "delete account" }), "late"],
  [2, () => ({ kind: "sign out" }), "late"],
  [1.5, () => ({ kind: "sign in" })],
];

const troubles: [number, (draw: Draw, known: Known) => Trouble][] = [
  [3, (draw, { lines }) => ({ kind: "cut", line: draw.one(lines) })],
  [
    4,
    (draw, { lines }) => ({
      kind: "cut after",
      line: draw.one(lines),
      bytes: draw.between(1, draw.chance(0.5) ? 400 : 8000),
      way: draw.chance(0.6) ? "down" : "up",
    }),
  ],
  [1.5, (draw, { lines }) => ({ kind: "swallow", line: draw.one(lines) })],
  [0.7, (draw, { lines }) => ({ kind: "swallow all", line: draw.one(lines) })],
  [
    1.2,
    (draw, { lines }) => ({
      kind: draw.one(["refuse sockets", "swallow sockets", "hold streams"] as const),
      line: draw.one(lines),
    }),
  ],
  [1, (draw, { lines }) => ({ kind: "heal", line: draw.one(lines) })],
  [1.5, (draw, { lines }) => ({ kind: draw.one(["offline", "online"] as const), line: draw.one(lines) })],
  [2, (draw, { lines }) => ({ kind: draw.one(["sleep", "wake"] as const), line: draw.one(lines) })],
  [
    3,
    (draw, { windows }) => ({
      kind: draw.one(["freeze", "freeze", "thaw"] as const),
      window: draw.number(windows),
    }),
  ],
  [2, (draw, { windows }) => ({ kind: "leave and come back", window: draw.number(windows) })],
  [2, (draw, { windows }) => ({ kind: "click and go back", window: draw.number(windows) })],
  [0.7, (draw, { windows }) => ({ kind: "reload", window: draw.number(windows) })],
  [
    1,
    (draw, { windows }) => ({
      kind: "clock",
      window: draw.number(windows),
      minutes: draw.one([-600, -5, 5, 3000]),
    }),
  ],
  [1.5, () => ({ kind: "kill the server" })],
  [0.3, () => ({ kind: "restore the store" })],
];

function openOne(draw: Draw, cast: readonly number[]): Opened {
  const member = draw.one(cast);
  const who: Who = draw.chance(0.3) ? null : member;
  const of = draw.chance(0.4) ? member : person(draw);
  const tab = draw.weighed<ProfileTab>([
    [4, "blogs"],
    [1, "liked-blogs"],
    [1, "saved-blogs"],
    [1, "private-blogs"],
    [1, "draft-blogs"],
  ]);
  return draw.weighed<() => Opened>([
    [3, () => ({ who, page: "home" })],
    [1, () => ({ who, page: "home, page 2" })],
    [1, () => ({ who, page: "home, most liked" })],
    [2, () => ({ who: member, page: "home, following" })],
    [1, () => ({ who: null, page: "landing" })],
    [4, () => ({ who, page: "blog", blog: draw.chance(0.5) ? 0 : draw.number(before.blogs.length) })],
    [3, () => ({ who, page: "profile", of, tab })],
    [1, () => ({ who, page: "followers", of })],
    [1, () => ({ who, page: "following", of })],
    [1, () => ({ who: draw.chance(0.6) ? before.private : member, page: "requests" })],
    [1.5, () => ({ who: member, page: "notifications" })],
    [1, () => ({ who, page: "search for blogs", words: draw.one(words) })],
    [
      1,
      () => ({ who, page: "search for people", words: draw.one(before.people).split(" ")[0]!.toLowerCase() }),
    ],
    [1.5, () => ({ who: member, page: "my blogs" })],
    [2, () => ({ who, page: "tag", tag: draw.one(words) })],
    [1, () => ({ who, page: "tag, most liked", tag: draw.one(words) })],
  ])();
}

/** The history of a seed. A calm one has no trouble in it, and one thing happens after the other. */
export function planOf(seed: number, { calm = false } = {}): Plan {
  const draw = new Draw(seed);
  const first = person(draw);
  const cast = [first, draw.one([0, 1, 2, 3].filter((one) => one !== first))];
  const opened = Array.from({ length: draw.between(4, 6) }, () => openOne(draw, cast));
  const known: Known = {
    blogs: [...before.blogs],
    comments: [...before.comments],
    lines: [...new Set(opened.map(({ who }) => who))],
    windows: opened.length,
    count: 0,
  };
  const length = draw.between(12, 25);
  const acts = Array.from({ length }, (_, index): Act | null => {
    if (draw.chance(0.25)) {
      const trouble = draw.weighed(troubles)(draw, known);
      return calm ? null : trouble;
    }
    const isLate = index > length * 0.7;
    const deed = draw.weighed(deeds.filter(([, , late]) => isLate || !late))(draw, known);
    return {
      ...deed,
      // Those who have windows open do more than the others.
      by: deed.by ?? (draw.chance(0.6) ? draw.one(cast) : person(draw)),
      through: draw.chance(0.6) ? "window" : "client",
      apart: draw.chance(0.4) && !calm,
    };
  });
  return { seed, opened, acts: acts.filter((act) => act !== null) };
}

const name = (who: Who): string => (who === null ? "a guest" : before.people[who]!.split(" ")[0]!);

/** A page, as it is told of. */
export function pageInWords(opened: Opened): string {
  const { who, page } = opened;
  const more = Object.entries(opened).flatMap(([key, value]) =>
    key === "who" || key === "page" ? [] : [key === "of" ? `of ${name(value as number)}` : `${key} ${value}`],
  );
  return `${page}${more.length > 0 ? ` (${more.join(", ")})` : ""} open by ${name(who)}`;
}

/** An act, as it is told of. */
export function actInWords(act: Act): string {
  const { kind, ...rest } = act;
  const more = Object.entries(rest).flatMap(([key, value]) => {
    if (key === "by" || key === "apart" || key === "through") return [];
    if (key === "line") return [`of ${name(value as Who)}`];
    if (key === "person") return [name(value as number)];
    return [`${key} ${value}`];
  });
  const who = "by" in act ? `${name(act.by)}: ` : "";
  const how = "by" in act ? ` [${act.through}${act.apart ? ", apart" : ""}]` : "";
  return `${who}${kind}${more.length > 0 ? ` ${more.join(", ")}` : ""}${how}`;
}
