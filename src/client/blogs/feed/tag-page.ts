import { getQueryKey } from "@trpc/react-query";
import type { Sort } from "../../../shared/blogs.ts";
import type { TaggedBlogs } from "../../../shared/tags.ts";
import { trpc } from "../../api/trpc.ts";
import type { MutationContext } from "../../live/mutations/optimistic-mutations.ts";
import { freshBlogsOf } from "./fresh-blogs.ts";
import type { FreshBlogs } from "./fresh-blogs.ts";

/** A page of a tag; `fresh` are the ids of blogs that came since the fetch. */
export interface TagPage extends TaggedBlogs {
  fresh?: readonly string[];
}

export const freshBlogsOfTag = (
  { blogs }: MutationContext["client"],
  input: { tag: string; page: number; sort: Sort },
): FreshBlogs =>
  freshBlogsOf<TagPage>(getQueryKey(trpc.blogs.byTag, input, "query"), () => blogs.byTag.query(input));
