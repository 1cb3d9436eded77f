import { z } from "zod";
import { SearchQuery } from "./search.ts";
import { Id } from "./users.ts";
import type { Person } from "./users.ts";

/** Which blogs moderators look for: those for everybody and those that were taken back, or one kind of them. */
export const blogStates = ["all", "public", "taken-down"] as const;
export type BlogState = (typeof blogStates)[number];

/** `by` is who wrote it, by words of their name, or after an `@` by the whole username; `after` is where the page before ended. */
const Find = z.strictObject({
  query: SearchQuery.default(""),
  by: SearchQuery.default(""),
  after: z.string().max(100).default(""),
});
export const FindComments = Find;
export const FindBlogs = Find.extend({ state: z.enum(blogStates).default("all") });
export const OfBlog = z.strictObject({ blogId: Id });
export const DeleteBlog = OfBlog.extend({ reason: z.string().trim().max(1_000).default("") });
export const OfPending = z.strictObject({ commentId: Id });

/** A blog as moderators find it. */
export interface StaffBlog {
  id: string;
  title: string;
  /** How its text begins. */
  beginning: string;
  /** Where they read it; null where it is not there for them: it can be read in the list. */
  address: string | null;
  author: Person;
  at: string;
  /** Why it was taken back; null where it is public. */
  takedownReason: string | null;
  commentsCount: number;
  /** Whether the viewer may act against its author. */
  mayAct: boolean;
}

/** A comment as moderators find it. */
export interface StaffComment {
  id: string;
  text: string;
  /** Null where the talk is not there for them. */
  address: string | null;
  author: Person | null;
  blog: { title: string; author: Person };
  at: string;
  mayAct: boolean;
}

/** A comment that waits since it has a link, and none with a link of its writer's stood yet. */
export interface StaffPendingComment {
  id: string;
  text: string;
  /** Where the blog is; null where it is not there for them. */
  address: string | null;
  author: Person;
  blog: { title: string; author: Person };
  at: string;
}

/** `after` is where older ones go on; null where there are none. */
export interface FoundPage {
  after: string | null;
}
export interface StaffBlogs extends FoundPage {
  blogs: StaffBlog[];
}
export interface StaffComments extends FoundPage {
  comments: StaffComment[];
}
