import type { BlogPage } from "../../shared/blogs.ts";
import { Scheduled } from "../blogs/article/scheduled.tsx";
import TakedownNotice from "../moderation/takedown-notice.tsx";

/** The note above a draft: when it will be published, or that moderators took it down. */
export default function DraftNote({ blog }: { blog: BlogPage }) {
  if (blog.takedownReason !== null) return <TakedownNotice blog={blog} reason={blog.takedownReason} />;
  return blog.draft && blog.scheduled ? <Scheduled blog={blog} when={blog.scheduled} /> : null;
}
