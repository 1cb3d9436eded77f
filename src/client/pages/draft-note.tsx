import type { BlogPage } from "../../shared/blogs.ts";
import { Scheduled } from "../blogs/article/scheduled.tsx";
import TakenBack from "../moderation/taken-back.tsx";

/** What its author is told of a draft, above its text: when it is published by itself, or that moderators took it back. */
export default function DraftNote({ blog }: { blog: BlogPage }) {
  if (blog.hiddenFor !== null) return <TakenBack blog={blog} reason={blog.hiddenFor} />;
  return blog.draft && blog.scheduled ? <Scheduled blog={blog} when={blog.scheduled} /> : null;
}
