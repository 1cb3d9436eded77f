import { useEffect, useEffectEvent, useRef } from "react";
import { trpc } from "../api/trpc.ts";
import { sentDrafts } from "./drafts.ts";
import type { Sent } from "./drafts.ts";

/** A comment whose answer was lost, and the place that its text came back to. */
interface Lost extends Sent {
  at: string;
  /** What the message about it offers; none where it was lost before the page was loaded. */
  retry?: () => void;
}

/**
 * Remembers what was sent and got no answer until the list shows that it stands after all: then `onStands` hears of it.
 * Returns how to have one remembered.
 */
export function useLost(
  viewerId: string | undefined,
  blogId: string,
  onStands: (lost: Lost) => void,
): (lost: Lost) => void {
  const { data: list } = trpc.comments.list.useQuery({ blogId });
  const lost = useRef(new Map<string, Lost>());
  const stands = useEffectEvent(onStands);
  useEffect(() => {
    lost.current = new Map(
      viewerId === undefined ? [] : sentDrafts({ viewerId, blogId }).map((sent) => [sent.id, sent]),
    );
  }, [viewerId, blogId]);
  useEffect(() => {
    for (const { id } of list?.comments ?? []) {
      const found = lost.current.get(id);
      if (found && lost.current.delete(id)) stands(found);
    }
  }, [list, viewerId]);
  return (one) => void lost.current.set(one.id, one);
}
