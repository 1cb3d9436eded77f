import { useEffect, useState } from "react";
import { trpc } from "../../api/trpc.ts";
import { onDemand } from "../../ui/on-demand.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useViewer } from "../../session/viewer.ts";
import "./author-queries.ts";
import "./authors.css";

const AuthorsList = onDemand(() => import("./authors-list.tsx"));

/** Whose a blog is that others write as well, as far as this page knows. */
export interface SharedBlog {
  /** Their name, or null where it is one's own. */
  owner: string | null;
  /** Their account is private: nobody but their followers reads it. */
  closed: boolean;
}

export function useShared(blogId: string | null): SharedBlog | null {
  const { data } = trpc.blogs.authors.useQuery({ id: blogId ?? "" }, { enabled: false });
  if (!data?.authors.some(({ role }) => role === "author")) return null;
  return { owner: data.mine ? null : (data.authors[0]?.name ?? null), closed: data.closed };
}

interface Props {
  blogId: string;
  title: string;
  /** Sends what is written, before somebody leaves. */
  settle: () => Promise<unknown>;
}

/** Who writes it: one line for those who write alone, open where there are others. */
export function AuthorsPart({ blogId, title, settle }: Props) {
  const viewer = useViewer();
  const asked = trpc.blogs.authors.useQuery({ id: blogId });
  const { data } = asked;
  const [isOpen, setOpen] = useState<boolean>();
  const others = data?.authors.filter(({ id }) => id !== viewer?.id) ?? [];
  const open = isOpen ?? others.length > 0;
  useEffect(() => {
    if (others.length > 0) AuthorsList.prepare();
  }, [others.length]);
  return (
    <details
      className="blog-form-fold authors"
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        Authors
        {data && !open && (
          <span> · {others.length === 0 ? "only you" : `you and ${others.length} more`}</span>
        )}
      </summary>
      {open && (
        <Loaded
          asked={asked}
          what="who writes it"
          waiting={<Skeleton height="3rem" />}
          failure="We couldn’t load the authors."
          isInline
        >
          {(blog) => <AuthorsList blog={blog} title={title} settle={settle} onFail={() => setOpen(false)} />}
        </Loaded>
      )}
    </details>
  );
}
