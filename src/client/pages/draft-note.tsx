import type { BlogPage } from "../../shared/blogs.ts";
import { ScheduledNotice } from "../blogs/article/scheduled-notice.tsx";
import TakedownNotice from "../moderation/takedown-notice.tsx";

/** The note above a draft: when it will be published, or that moderators took it down. */
export default function DraftNote({ blog }: { blog: BlogPage }) {
  if (blog.takedownReason !== null) return <TakedownNotice blog={blog} reason={blog.takedownReason} />;
  return blog.draft && blog.scheduled ? <ScheduledNotice blog={blog} when={blog.scheduled} /> : null;
}
