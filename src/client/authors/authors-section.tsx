import { useEffect, useState } from "react";
import { trpc } from "../api/trpc.ts";
import { onDemand } from "../ui/on-demand.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { useViewer } from "../session/viewer.ts";
import "./author-queries.ts";
import "./authors.css";

const AuthorsList = onDemand(() => import("./authors-list.tsx"));

/** A blog with several authors, as far as this page knows. */
export interface SharedBlog {
  /** The owner's name; null if the viewer owns it. */
  owner: string | null;
  /** Its account is private: only followers can read it. */
  isOwnerPrivate: boolean;
}

export function useSharedBlog(blogId: string | null): SharedBlog | null {
  const { data } = trpc.blogs.authors.useQuery({ id: blogId ?? "" }, { enabled: false });
  if (!data?.authors.some(({ role }) => role === "author")) return null;
  return { owner: data.mine ? null : (data.authors[0]?.name ?? null), isOwnerPrivate: data.closed };
}

interface Props {
  blogId: string;
  title: string;
  /** Sends pending changes before an author leaves. */
  settle: () => Promise<unknown>;
}

/** The authors of a blog: folded if there is only one. */
export function AuthorsSection({ blogId, title, settle }: Props) {
  const viewer = useViewer();
  const query = trpc.blogs.authors.useQuery({ id: blogId });
  const { data } = query;
  const [isOpen, setOpen] = useState<boolean>();
  const others = data?.authors.filter(({ id }) => id !== viewer?.id) ?? [];
  const open = isOpen ?? others.length > 0;
  useEffect(() => {
    if (others.length > 0) AuthorsList.prepare();
  }, [others.length]);
  return (
    <details
      className="blog-form-fold authors hairline-top"
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
        <QueryResult
          query={query}
          noun="who writes it"
          fallback={<Skeleton height="3rem" />}
          failure="We couldn’t load the authors."
          isInline
        >
          {(blog) => <AuthorsList blog={blog} title={title} settle={settle} onFail={() => setOpen(false)} />}
        </QueryResult>
      )}
    </details>
  );
}
