import { z } from "zod";
import type { BlogCard } from "./blogs.ts";
import type { ListedPerson } from "./social.ts";
import { Id } from "./users.ts";

/** The next or previous blog of an author, or one about the same subject. */
export interface FurtherBlog extends BlogCard {
  place: "next" | "previous" | "related";
}

/** The owner is the first author. */
export interface Further {
  authors: ListedPerson[];
  blogs: FurtherBlog[];
}

/** `without`: blogs just read, left out of the related ones. */
export const ReadFurther = z.strictObject({ id: Id, without: z.array(Id).max(30).default([]) });
