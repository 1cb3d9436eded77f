import { useEffect, useEffectEvent, useRef } from "react";
import type { EditableBlog } from "../../../shared/blogs.ts";
import { toast } from "../../ui/toasts.tsx";
import { fromSchedule, scheduleKey, type ScheduledTime } from "./schedule-time.ts";
import type { WritingSession } from "./writing-session.ts";

interface ScheduleSyncOptions {
  blog: EditableBlog | null;
  session: WritingSession;
  later: ScheduledTime | null;
  isSending: boolean;
}

/** Applies schedule changes from elsewhere to the form, and announces the publication. */
export function useScheduleSync({ blog, session, later, isSending }: ScheduleSyncOptions): void {
  const wasPlanned = useRef(false);
  useEffect(() => {
    if (wasPlanned.current && blog && !blog.draft && !isSending)
      toast({ message: `“${blog.title}” is published now.`, kind: "success" });
    wasPlanned.current = Boolean(blog?.schedule);
  }, [blog, isSending]);

  const planned = scheduleKey(fromSchedule(blog?.schedule));
  const known = useRef(planned);
  const follow = useEffectEvent(() => {
    if (!blog || planned === known.current || isSending) return;
    // A schedule chosen here meanwhile stays.
    if (scheduleKey(later) === known.current)
      session.set({ later: fromSchedule(blog.schedule), draft: blog.draft && !blog.schedule });
    known.current = planned;
  });
  useEffect(() => follow(), [planned, isSending]);
}
