import { useEffect } from "react";
import type { BlogPage } from "../../shared/blogs.ts";
import type { ViewerEntry } from "../../shared/entries.ts";
import { routes } from "../../shared/routes.ts";
import { trpc } from "../api/trpc.ts";
import { Link } from "../ui/link.tsx";
import { LoadFailure } from "../ui/load-failure.tsx";
import { Loading, Skeleton } from "../ui/skeleton.tsx";
import { EntryArticle } from "./entry-row.tsx";

const elementId = "linked-entry";

interface Props {
  id: string;
  blog: BlogPage;
  onReply: ((entry: ViewerEntry) => void) | undefined;
  /** Shows it among the others. */
  onShow: (id: string) => void;
}

/** The entry that the address names, above all others. */
export function LinkedEntry({ id, blog, onReply, onShow }: Props) {
  const { data, error, refetch } = trpc.blogs.entry.useQuery({ blogId: blog.id, id });
  useEffect(() => {
    // Some browsers return a promise, which React would take for a cleanup.
    document.getElementById(elementId)?.scrollIntoView({ block: "center" });
  }, []);
  return (
    <section
      id={elementId}
      className="linked-entry stack gap-3"
      aria-label="The entry you followed a link to"
    >
      {data?.entry ? (
        <>
          <EntryArticle entry={data.entry} slug={blog.slug} language={blog.language} onReply={onReply} />
          <p className="note">
            <Link
              to={`${routes.blog(blog.slug)}#entry-${id}`}
              onClick={(event) => {
                event.preventDefault();
                onShow(id);
              }}
            >
              Show it among the other entries
            </Link>
          </p>
        </>
      ) : data ? (
        <p className="note" role="status">
          The entry you’re looking for was withdrawn.{" "}
          <Link to={routes.blog(blog.slug)}>Read the live blog</Link>
        </p>
      ) : error ? (
        <LoadFailure error={error} onRetry={refetch} />
      ) : (
        <Loading label="Loading the entry">
          <Skeleton />
        </Loading>
      )}
    </section>
  );
}
