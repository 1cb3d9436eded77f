import { useEffect, useEffectEvent, useRef } from "react";
import type { EditableBlog } from "../../../shared/blogs.ts";
import { toast } from "../../ui/toasts.tsx";
import { asLater, keyOf, type Later } from "./later.ts";
import type { WritingSession } from "./writing-session.ts";

interface Planned {
  blog: EditableBlog | null;
  session: WritingSession;
  /** When the form has it published. */
  later: Later | null;
  isSending: boolean;
}

/** Has a form follow when its blog is planned to be published, wherever that is changed, and say that it has come to pass. */
export function usePlan({ blog, session, later, isSending }: Planned): void {
  const wasPlanned = useRef(false);
  useEffect(() => {
    if (wasPlanned.current && blog && !blog.draft && !isSending)
      toast({ message: `“${blog.title}” is published now.`, kind: "success" });
    wasPlanned.current = Boolean(blog?.schedule);
  }, [blog, isSending]);

  const planned = keyOf(asLater(blog?.schedule));
  const known = useRef(planned);
  const follow = useEffectEvent(() => {
    if (!blog || planned === known.current || isSending) return;
    // What was chosen here meanwhile stays.
    if (keyOf(later) === known.current)
      session.set({ later: asLater(blog.schedule), draft: blog.draft && !blog.schedule });
    known.current = planned;
  });
  useEffect(() => follow(), [planned, isSending]);
}
