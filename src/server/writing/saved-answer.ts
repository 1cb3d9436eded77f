import { audienceOf, readersText, type Visibility } from "../../shared/audience.ts";
import type { SavedBlog, Schedule } from "../../shared/blogs.ts";
import { scheduledLabel } from "../../shared/schedule.ts";
import { linksNotice } from "./pictures.ts";

/**
 * Returns the answer to a save, with a message to its author. `links`: pictures that became links; `owner`: the name of the
 * blog's owner if a co-author saved.
 */
export const answerOf = (
  blog: Visibility & { id: string },
  etag: number,
  slug: string,
  links: number,
  schedule: Schedule | null,
  wasPublished = false,
  owner: string | null = null,
): SavedBlog => ({
  id: blog.id,
  slug,
  etag,
  links,
  message: savedMessage(blog, schedule, wasPublished, owner) + linksNotice(links),
});

const savedMessage = (
  blog: Visibility,
  schedule: Schedule | null,
  wasPublished: boolean,
  owner: string | null,
): string =>
  blog.draft
    ? schedule
      ? `${scheduledLabel(schedule)}.`
      : "Draft saved."
    : wasPublished
      ? "Blog updated."
      : `Published! ${readersText(audienceOf(blog), { owner })} can read ${owner === null ? "your" : "the"} blog.`;
