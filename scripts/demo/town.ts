import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { readPost } from "../../src/server/imports/markdown/front-matter.ts";
import { projectRoot } from "../../src/server/project-root.ts";

/* The demo town as it was written down, in town/: people, posts with their covers, and what is said under them. */

/** One inhabitant of the demo town. */
export interface DemoPerson {
  username: string;
  name: string;
  bio: string;
  /** `<username>@reprise.example`, an address that reaches nobody. */
  email: string;
  /** The file of their picture; null for those who keep their initials. */
  face: string | null;
  interests: string[];
  private: boolean;
  showLikedBlogs: boolean;
  showSavedBlogs: boolean;
  showFollowers: boolean;
  /** Usernames this person follows; where the account is private, it has accepted. */
  follows: string[];
  /** Usernames of private accounts this person has asked and that have not answered. */
  requests: string[];
  /** One of the logins that the sign-in page of the demo offers. */
  sample: boolean;
  /** They run the site. */
  admin: boolean;
}

/** One blog of the demo town: a folder for the importer, with what the town must know of it. */
export interface DemoBlog {
  folder: string;
  /** The name of its file, by which the importer knows it. */
  file: string;
  /** Unique in the town: threads and live lines name their blog by it. */
  title: string;
  author: string;
  tags: string[];
  /** Days before the town is built; fractions are hours. */
  daysAgo: number;
  draft: boolean;
  private: boolean;
}

/** A comment with the answers below it, oldest first. */
export interface DemoReply {
  author: string;
  text: string;
  replies: DemoReply[];
  likedBy: string[];
}

/** A comment under a blog, with everything that was answered to it. */
export interface DemoThread extends DemoReply {
  blogTitle: string;
}

/** A comment that somebody writes while a visitor is watching. */
export interface DemoLine {
  /** Absent where the line fits under any blog that its author can read and has not written. */
  blogTitle?: string;
  author: string;
  text: string;
  /** Whether it answers the line said before it under the same blog. */
  isAnswer: boolean;
}

const town = path.join(projectRoot, "scripts/demo/town");
const written = (name: string): unknown => parse(readFileSync(path.join(town, name), "utf8"));
const names = (list = ""): string[] => list.split(", ").filter(Boolean);

const day = 24 * 60 * 60 * 1000;
/** When the town was written down: its posts have dates before that. */
const then = Date.parse("2025-01-01T00:00:00Z");
/** How long ago that was. */
export const later = (now: number): number => now - then;

type WrittenPerson = Partial<Omit<DemoPerson, "interests" | "follows" | "requests">> &
  Pick<DemoPerson, "name" | "bio"> & { interests: string; follows: string; requests?: string };

/** Everyone in the demo town; the sample logins come first. */
export const people: DemoPerson[] = Object.entries(
  written("people.yaml") as Record<string, WrittenPerson>,
).map(([username, person]) => {
  const face = path.join(town, "faces", `${username}.png`);
  return {
    private: false,
    showLikedBlogs: !person.private,
    showSavedBlogs: !person.private,
    showFollowers: true,
    sample: false,
    admin: false,
    ...person,
    username,
    email: `${username}@reprise.example`,
    face: existsSync(face) ? face : null,
    interests: names(person.interests),
    follows: names(person.follows),
    requests: names(person.requests),
  };
});

/** All that is written in the town, the newest first. */
export const blogs: DemoBlog[] = readdirSync(path.join(town, "posts"))
  .map((name): DemoBlog => {
    const folder = path.join(town, "posts", name);
    const file = `${name}.md`;
    const { frontMatter } = readPost(readFileSync(path.join(folder, file), "utf8"), file);
    const { title, authors, tags, date, hidden, forFollowers } = frontMatter;
    if (!title || !date || !authors[0]) throw new Error(`${file} says neither who wrote it nor when.`);
    const daysAgo = (then - date.getTime()) / day;
    return {
      folder,
      file,
      title,
      author: authors[0],
      tags,
      daysAgo,
      draft: hidden !== null,
      private: forFollowers,
    };
  })
  .toSorted((one, other) => one.daysAgo - other.daysAgo);

/** `mina: Bruckner!`, who likes it as `liked`, and what was answered as `replies`. */
type WrittenReply = Record<string, string> & { liked?: string; replies?: WrittenReply[] };

function heard({ liked, replies = [], ...said }: WrittenReply): DemoReply {
  const [[author, text] = ["", ""]] = Object.entries(said);
  return { author, text, likedBy: names(liked), replies: replies.map(heard) };
}

/** What has been said before the visitor comes; a blog's threads are together, oldest first. */
export const threads: DemoThread[] = Object.entries(
  written("talk.yaml") as Record<string, WrittenReply[]>,
).flatMap(([blogTitle, said]) => said.map((one) => ({ blogTitle, ...heard(one) })));

type WrittenLine = Record<string, string> & { to?: "last" };
const { underBlogs, underAny } = written("live.yaml") as {
  underBlogs: Record<string, WrittenLine[]>;
  underAny: WrittenLine[];
};

function line({ to, ...said }: WrittenLine, blogTitle?: string): DemoLine {
  const [[author, text] = ["", ""]] = Object.entries(said);
  return { blogTitle, author, text, isAnswer: to === "last" };
}

/** What is said live: under each blog in this order, each line once. */
export const liveLines: DemoLine[] = [
  ...Object.entries(underBlogs).flatMap(([title, lines]) => lines.map((one) => line(one, title))),
  ...underAny.map((one) => line(one)),
];
