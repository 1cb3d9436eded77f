import type { Sort } from "../../../shared/blogs.ts";
import type { TaggedBlogs } from "../../../shared/tags.ts";
import { trpc } from "../../api/trpc.ts";
import { askAnew } from "../../live/live.ts";

/** A page of what has a tag, and the blogs that came to it since it was read. */
export interface TagPage extends TaggedBlogs {
  fresh?: readonly string[];
}

/** Shows it as it is now, with what waited behind its button. */
export const showFreshTagged = (input: { tag: string; page: number; sort: Sort }): Promise<void> =>
  askAnew(trpc.blogs.byTag.key(input));
