import { z } from "zod";
import { Id, PageNumber } from "./users.ts";
import type { Person } from "./users.ts";

export const blogStates = ["all", "public", "taken-down"] as const;
export type BlogState = (typeof blogStates)[number];

/** `by`: a whole username, with or without an `@`; empty for everyone. */
const ContentList = z.strictObject({
  by: z.string().trim().max(200).default(""),
  page: PageNumber.default(1),
});
export const StaffCommentList = ContentList;
export const StaffBlogList = ContentList.extend({ state: z.enum(blogStates).default("all") });
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

interface ContentPage {
  page: number;
  hasMore: boolean;
}
export interface StaffBlogs extends ContentPage {
  blogs: StaffBlog[];
}
export interface StaffComments extends ContentPage {
  comments: StaffComment[];
}
