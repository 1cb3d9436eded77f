import { z } from "zod";
import type { BlogCard } from "./blogs.ts";
import type { ListedPerson } from "./social.ts";
import { Id } from "./users.ts";

/** What follows a blog that was read: what its author published right after and right before it, and what is about the same. */
export interface FurtherBlog extends BlogCard {
  place: "next" | "previous" | "related";
}

/** The end of a blog: all who write it, its author first, and what to read further. */
export interface Further {
  authors: ListedPerson[];
  blogs: FurtherBlog[];
}

/** `without` are blogs that the reader has just read: they are not related. */
export const ReadFurther = z.strictObject({ id: Id, without: z.array(Id).max(30).default([]) });
