import type { CountedList } from "./feed.ts";

/** Blogs of a tag are counted up to this number; one more means more. */
export const maxCountedBlogs = 1_000;

/** Whether a tag's page has an address: every program resolves `/tag/..` to `/`. Refused since; older tags are hidden. */
export const hasTagPage = (tag: string): boolean => tag !== "." && tag !== "..";
export const dotTag = "A tag can’t be just one or two dots.";

/** Removes the `#` that people write before a tag, also of full width. */
export const withoutHash = (text: string): string => text.replace(/^[#＃][#＃\s]*/u, "");

/** Returns a tag as it is stored. */
export const cleanTag = (text: string): string => withoutHash(text.normalize("NFC").trim()).toLowerCase();

/** `count` is what the viewer can read, at most `maxCountedBlogs` + 1. */
export interface TaggedBlogs extends CountedList {
  /** As stored, however it was requested. */
  tag: string;
  count: number;
}
