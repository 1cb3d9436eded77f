import { z } from "zod";
import { SearchQuery } from "./search.ts";
import { Id } from "./users.ts";
import type { Person } from "./users.ts";

export const blogStates = ["all", "public", "taken-down"] as const;
export type BlogState = (typeof blogStates)[number];

/** `by`: words of the author's name, or the whole username after an `@`; `after` is where the previous page ended. */
const Find = z.strictObject({
  query: SearchQuery.default(""),
  by: SearchQuery.default(""),
  after: z.string().max(100).default(""),
});
export const FindComments = Find;
export const FindBlogs = Find.extend({ state: z.enum(blogStates).default("all") });
export const OfBlog = z.strictObject({ blogId: Id });
export const DeleteBlog = OfBlog.extend({ reason: z.string().trim().max(1_000).default("") });
export const PendingCommentId = z.strictObject({ commentId: Id });

export interface StaffBlog {
  id: string;
  title: string;
  /** How its text begins. */
  beginning: string;
  /** Its path; null if the moderator can only read it in the list. */
  address: string | null;
  author: Person;
  at: string;
  /** Null if it is public. */
  takedownReason: string | null;
  commentsCount: number;
  /** The viewer can moderate its author. */
  mayAct: boolean;
}

export interface StaffComment {
  id: string;
  text: string;
  /** Null if the moderator cannot open the blog. */
  address: string | null;
  author: Person | null;
  blog: { title: string; author: Person };
  at: string;
  mayAct: boolean;
}

/** Pending because it has a link and its author has no published comment with a link yet. */
export interface StaffPendingComment {
  id: string;
  text: string;
  /** The blog's path; null if the moderator cannot open it. */
  address: string | null;
  author: Person;
  blog: { title: string; author: Person };
  at: string;
}

/** Where older entries begin; null on the last page. */
export interface CursorPage {
  after: string | null;
}
export interface StaffBlogs extends CursorPage {
  blogs: StaffBlog[];
}
export interface StaffComments extends CursorPage {
  comments: StaffComment[];
}
