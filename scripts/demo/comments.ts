import { codeThreads } from "./comments/code.ts";
import { eveningThreads } from "./comments/evenings.ts";
import { handThreads } from "./comments/hands.ts";
import { homeThreads } from "./comments/home.ts";
import { linesByBlog, linesForAnyBlog, type Line } from "./comments/live.ts";
import type { DemoReply } from "./comments/said.ts";

export type { DemoReply } from "./comments/said.ts";

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
  /** Answers the line said before it under the same blog. */
  replyTo?: "last";
}

/** What has been said before the visitor comes; a blog's threads are together, oldest first. */
export const threads: DemoThread[] = [codeThreads, eveningThreads, handThreads, homeThreads]
  .flatMap((theme) => Object.entries(theme))
  .flatMap(([blogTitle, comments]) => comments.map((comment) => ({ blogTitle, ...comment })));

/** What is said live: under each blog in this order, each line once. */
export const liveLines: DemoLine[] = [
  ...Object.entries(linesByBlog).flatMap(([blogTitle, lines]) =>
    lines.map((line) => ({ blogTitle, ...spoken(line) })),
  ),
  ...linesForAnyBlog.map(spoken),
];

function spoken([author, text, replyTo]: Line): DemoLine {
  return replyTo ? { author, text, replyTo } : { author, text };
}
