import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { readPost } from "../../src/server/imports/markdown/front-matter.ts";
import type { ReportReason } from "../../src/shared/moderation.ts";
import { projectRoot } from "../../src/server/runtime/project-root.ts";

/* The demo's data from the folder site/: people, posts with their covers, and comments. */

export interface DemoPerson {
  username: string;
  name: string;
  bio: string;
  /** `<username>@reprise.example`, a domain that receives no mail. */
  email: string;
  /** The file of their picture; null for initials. */
  pictureFile: string | null;
  interests: string[];
  private: boolean;
  showLikedBlogs: boolean;
  showSavedBlogs: boolean;
  showFollowers: boolean;
  /** Usernames this person follows; private accounts among them accepted. */
  follows: string[];
  /** Usernames of private accounts with a pending request of this person. */
  requests: string[];
  /** Whether the demo's sign-in page offers this login. */
  sample: boolean;
  /** Whether they are an administrator, or a moderator. */
  admin: boolean;
  moderator: boolean;
}

/** A blog of the demo: a folder for the importer, and facts about it. */
export interface DemoBlog {
  folder: string;
  /** The file's name, by which the importer knows it. */
  file: string;
  /** Unique: threads and live lines refer to it. */
  title: string;
  author: string;
  tags: string[];
  /** Days before the demo is built, possibly fractional. */
  daysAgo: number;
  draft: boolean;
  private: boolean;
}

/** A comment with its replies, oldest first. */
export interface DemoReply {
  author: string;
  text: string;
  replies: DemoReply[];
  likedBy: string[];
}

/** A comment directly below a blog, with all its replies. */
export interface DemoThread extends DemoReply {
  blogTitle: string;
}

/** A comment posted while a visitor is watching. */
export interface DemoLine {
  /** Absent if the line fits any blog that its author can read and has not written. */
  blogTitle?: string;
  author: string;
  text: string;
  /** Whether it replies to the line before it under the same blog. */
  isReply: boolean;
}

const site = path.join(projectRoot, "scripts/demo/site");
export const readYaml = (name: string): unknown => parse(readFileSync(path.join(site, name), "utf8"));
const splitNames = (list = ""): string[] => list.split(", ").filter(Boolean);

const day = 24 * 60 * 60 * 1000;
/** The date when the data was written; all posts are older. */
const writtenAt = Date.parse("2025-01-01T00:00:00Z");
/** Returns the time since then, in milliseconds. */
export const ageOfData = (now: number): number => now - writtenAt;

type WrittenPerson = Partial<Omit<DemoPerson, "interests" | "follows" | "requests">> &
  Pick<DemoPerson, "name" | "bio"> & { interests: string; follows: string; requests?: string };

/** All people of the demo; the sample logins come first. */
export const people: DemoPerson[] = Object.entries(
  readYaml("people.yaml") as Record<string, WrittenPerson>,
).map(([username, person]) => {
  const face = path.join(site, "faces", `${username}.png`);
  return {
    private: false,
    showLikedBlogs: !person.private,
    showSavedBlogs: !person.private,
    showFollowers: true,
    sample: false,
    admin: false,
    moderator: false,
    ...person,
    username,
    email: `${username}@reprise.example`,
    pictureFile: existsSync(face) ? face : null,
    interests: splitNames(person.interests),
    follows: splitNames(person.follows),
    requests: splitNames(person.requests),
  };
});

/** All posts, the newest first. */
export const blogs: DemoBlog[] = readdirSync(path.join(site, "posts"))
  .map((name): DemoBlog => {
    const folder = path.join(site, "posts", name);
    const file = `${name}.md`;
    const { frontMatter } = readPost(readFileSync(path.join(folder, file), "utf8"), file);
    const { title, authors, tags, date, hidden, forFollowers } = frontMatter;
    if (!title || !date || !authors[0]) throw new Error(`${file} says neither who wrote it nor when.`);
    const daysAgo = (writtenAt - date.getTime()) / day;
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

/** `mina: Bruckner!` is a comment; `liked` names who likes it, `replies` has its replies. */
type WrittenReply = Record<string, string> & { liked?: string; replies?: WrittenReply[] };

function parseReply({ liked, replies = [], ...comment }: WrittenReply): DemoReply {
  const [[author, text] = ["", ""]] = Object.entries(comment);
  return { author, text, likedBy: splitNames(liked), replies: replies.map(parseReply) };
}

/** Comments from before a visitor comes; a blog's threads are adjacent, oldest first. */
export const threads: DemoThread[] = Object.entries(
  readYaml("talk.yaml") as Record<string, WrittenReply[]>,
).flatMap(([blogTitle, replies]) => replies.map((reply) => ({ blogTitle, ...parseReply(reply) })));

/** A report by somebody of a blog, of the first comment below one, or of a person. */
export interface DemoReport {
  by: string;
  blog?: string;
  comment?: string;
  profile?: string;
  reason: ReportReason;
  body: string;
}
export const reports = readYaml("reports.yaml") as DemoReport[];

export type WrittenLine = Record<string, string> & { to?: "last" };
const { underBlogs, underAny } = readYaml("live.yaml") as {
  underBlogs: Record<string, WrittenLine[]>;
  underAny: WrittenLine[];
};

export function parseLine({ to, ...comment }: WrittenLine, blogTitle?: string): DemoLine {
  const [[author, text] = ["", ""]] = Object.entries(comment);
  return { blogTitle, author, text, isReply: to === "last" };
}

/** The lines for live comments: in this order under each blog, each once. */
export const liveLines: DemoLine[] = [
  ...Object.entries(underBlogs).flatMap(([title, lines]) => lines.map((line) => parseLine(line, title))),
  ...underAny.map((line) => parseLine(line)),
];
