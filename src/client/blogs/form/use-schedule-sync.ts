import { useEffect, useRef } from "react";
import type { EditableBlog } from "../../../shared/blogs.ts";
import { toast } from "../../ui/toasts.tsx";
import type { DraftSession } from "../../writing/draft-session.ts";

interface ScheduleSyncOptions {
  blog: EditableBlog | null;
  session: DraftSession;
  /** The number of the open draft. */
  draftKey: number;
  isSending: boolean;
}

/** Applies schedule changes from elsewhere to the form, and announces the publication. */
export function useScheduleSync({ blog, session, draftKey, isSending }: ScheduleSyncOptions): void {
  const wasPlanned = useRef(false);
  useEffect(() => {
    if (wasPlanned.current && blog && !blog.draft && !isSending)
      toast({ message: `“${blog.title}” is published now.`, kind: "success" });
    wasPlanned.current = Boolean(blog?.schedule);
  }, [blog, isSending]);

  const schedule = blog?.schedule;
  useEffect(() => {
    if (schedule !== undefined) session.recordSchedule(schedule);
  }, [session, schedule, draftKey]);
}
