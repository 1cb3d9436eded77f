import { getQueryKey } from "@trpc/react-query";
import type { Sort } from "../../../shared/blogs.ts";
import type { TaggedBlogs } from "../../../shared/tags.ts";
import { trpc } from "../../api/trpc.ts";
import type { MutationContext } from "../../live/mutations/optimistic-mutations.ts";
import { freshOf } from "./show-fresh.ts";
import type { Fresh } from "./show-fresh.ts";

/** A page of what has a tag, and the blogs that came to it since it was read. */
export interface TagPage extends TaggedBlogs {
  fresh?: readonly string[];
}

/** What is new for it. */
export const freshOfTag = (
  { blogs }: MutationContext["client"],
  input: { tag: string; page: number; sort: Sort },
): Fresh => freshOf<TagPage>(getQueryKey(trpc.blogs.byTag, input, "query"), () => blogs.byTag.query(input));
