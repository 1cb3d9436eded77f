import { useEffect, useEffectEvent } from "react";
import { Loading, Skeleton } from "../ui/skeleton.tsx";

export const sectionId = "comments";
const titleId = "comments-title";
export const labelledByTitle = { "aria-labelledby": titleId };

export function CommentsTitle({ total }: { total: number }) {
  return (
    <h2 id={titleId} className="size-xl" tabIndex={-1}>
      Comments <span className="comments-count muted tabular">{total.toLocaleString("en")}</span>
    </h2>
  );
}

export function CommentsLoading() {
  return (
    <Loading label="Loading comments">
      <Skeleton width="40%" />
      <Skeleton />
      <Skeleton width="80%" />
    </Loading>
  );
}

/** A placeholder while the section's code loads, tall enough to scroll to. Takes no focus. */
export function CommentsWaiting({ total, onShown }: { total: number; onShown: () => void }) {
  const shown = useEffectEvent(onShown);
  useEffect(() => shown(), []);
  return (
    <section
      className="comments comments-coming stack gap-5 text-column hairline-top"
      id={sectionId}
      {...labelledByTitle}
    >
      <CommentsTitle total={total} />
      <CommentsLoading />
    </section>
  );
}
