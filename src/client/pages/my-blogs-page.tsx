import type { BlogStats } from "../../shared/blogs.ts";
import { messages } from "../../shared/errors.ts";
import { trpc } from "../api/trpc.ts";
import { requireViewer } from "./page.ts";
import type { PageFacts, PageRequest } from "./page.ts";
import { BlogListSkeleton } from "../blogs/cards/blog-list.tsx";
import { OwnBlog } from "../blogs/cards/own-blog.tsx";
import { useSearch } from "../ui/location.ts";
import { Pager } from "../ui/pager.tsx";
import { Button, LinkButton } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty.tsx";
import { Icon } from "../ui/icon.tsx";
import { PageHead } from "../ui/page-head.tsx";
import "./my-blogs-page.css";

export async function prefetch(request: PageRequest): Promise<PageFacts> {
  requireViewer(request);
  const { blogs } = request.data;
  await Promise.all([blogs.mine.fetch({ page: pageOf(request.url.searchParams) }), blogs.stats.fetch()]);
  return { title: "My blogs", unlisted: true };
}

function pageOf(search: URLSearchParams): number {
  const page = Number(search.get("page"));
  return Number.isSafeInteger(page) && page > 1 ? page : 1;
}

/** Everything the viewer wrote, drafts and private blogs too, with its sums. */
export default function MyBlogsPage() {
  const search = useSearch();
  const page = pageOf(search);
  const { data, error, refetch } = trpc.blogs.mine.useQuery({ page });
  const { data: stats } = trpc.blogs.stats.useQuery();
  return (
    <div className="page my-blogs">
      <PageHead
        title="My blogs"
        actions={
          <LinkButton kind="primary" href="/add-blog">
            Write a blog
          </LinkButton>
        }
      />
      {stats && <Stats stats={stats} />}
      <section aria-labelledby="my-blogs-list">
        <h2 id="my-blogs-list" className="visually-hidden" data-focus={page > 1 || undefined}>
          Blogs
        </h2>
        {data ? (
          <>
            {data.blogs.length > 0 ? (
              <ul className="cards">
                {data.blogs.map((blog) => (
                  <OwnBlog key={blog.id} blog={blog} />
                ))}
              </ul>
            ) : (
              <Nothing page={page} />
            )}
            <Pager action="/my-blogs" page={page} hasMore={data.hasMore} />
          </>
        ) : error ? (
          <div role="alert">
            <EmptyState
              title={messages.dataFetch}
              action={
                <Button onClick={() => void refetch()}>
                  <Icon name="retry" /> Retry
                </Button>
              }
            />
          </div>
        ) : (
          <BlogListSkeleton />
        )}
      </section>
    </div>
  );
}

/** The sums of one's own blogs (docs/specification.md, 9.19). */
function Stats({ stats }: { stats: BlogStats }) {
  const all = [
    { name: "Total blogs", value: stats.blogs.toLocaleString("en") },
    { name: "Likes", value: stats.likes.toLocaleString("en") },
    { name: "Comments", value: stats.comments.toLocaleString("en") },
    {
      name: "Average likes",
      value: stats.averageLikes.toLocaleString("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
    },
  ];
  return (
    <dl className="my-blogs-stats">
      {all.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="tabular">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Nothing({ page }: { page: number }) {
  if (page > 1) {
    return (
      <EmptyState
        title="There is no such page"
        action={<LinkButton href="/my-blogs">To the first page</LinkButton>}
      >
        The list ends before page {page}.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="You have written nothing yet"
      action={<LinkButton href="/add-blog">Write your first blog</LinkButton>}
    >
      What you write will stand here: published, private and drafts.
    </EmptyState>
  );
}
