import type { CountedList } from "./feed.ts";

/** Blogs of a tag are counted up to this number; one more means more. */
export const maxCountedBlogs = 1_000;

/** `count` is what the viewer can read, at most `maxCountedBlogs` + 1. */
export interface TaggedBlogs extends CountedList {
  /** As stored, however it was requested. */
  tag: string;
  count: number;
}
