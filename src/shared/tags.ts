import type { CountedList } from "./feed.ts";

/** So many blogs of a tag are counted; one more says that there are more. */
export const mostTagged = 1_000;

/** A page of what has a tag. `count` are all that the viewer may read, up to one more than are counted. */
export interface TaggedBlogs extends CountedList {
  /** As tags are stored, however it was asked for. */
  tag: string;
  count: number;
}
