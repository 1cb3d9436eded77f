import type { SavedBlog, Schedule } from "../../shared/blogs.ts";
import { scheduledLabel } from "../../shared/schedule.ts";
import { linksNotice } from "./pictures.ts";

/** Returns the answer to a save, with a message to its author. `links`: pictures that became links. */
export const answerOf = (
  blog: { id: string; draft: boolean; private: boolean },
  version: number,
  slug: string,
  links: number,
  schedule: Schedule | null,
  wasPublished = false,
): SavedBlog => ({
  id: blog.id,
  slug,
  version,
  links,
  message: savedMessage(blog, schedule, wasPublished) + linksNotice(links),
});

const savedMessage = (
  blog: { draft: boolean; private: boolean },
  schedule: Schedule | null,
  wasPublished: boolean,
): string =>
  blog.draft
    ? schedule
      ? `${scheduledLabel(schedule)}.`
      : "Draft saved."
    : wasPublished
      ? "Blog updated."
      : blog.private
        ? "Published! Your followers can read it."
        : "Published! Everyone can read your blog.";
