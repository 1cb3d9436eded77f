import { useSearchParams } from "react-router-dom";
import type { BlogStats } from "../../shared/blogs.ts";
import { messages } from "../../shared/errors.ts";
import { pageInQuery } from "../../shared/paging.ts";
import { trpc } from "../api/trpc.ts";
import { requireViewer } from "./page.ts";
import type { PageFacts, PageRequest } from "./page.ts";
import { Invitations } from "../authors/invitations.tsx";
import { BlogListSkeleton } from "../blogs/cards/blog-list.tsx";
import {
  foundText,
  emptyListText,
  OWN_LIST,
  parseOwnListFilters,
  OwnListHead,
  type OwnListFilters,
} from "../blogs/cards/own-list.tsx";
import { OwnBlog } from "../blogs/cards/own-blog.tsx";
import { Pager, NoSuchPage } from "../ui/pager.tsx";
import { LinkButton } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { PageHead } from "../ui/page-head.tsx";
import "../blogs/feed/feed.css";
import "./my-blogs-page.css";

export async function loader(request: PageRequest): Promise<PageFacts> {
  requireViewer(request);
  const { blogs } = request.data;
  const input = inputOf(request.url.searchParams);
  const [list] = await Promise.all([blogs.mine.fetch(input), blogs.stats.fetch(), blogs.invitations.fetch()]);
  return { title: "My blogs", isNotFound: input.page > 1 && list.blogs.length === 0 };
}

const inputOf = (search: URLSearchParams) => ({ page: pageInQuery(search), ...parseOwnListFilters(search) });

/** All blogs of the viewer, with drafts, private ones and sums. */
export default function MyBlogsPage() {
  const [search] = useSearchParams();
  const { page, ...filters } = inputOf(search);
  const hasFilters = Object.keys(filters).length > 0;
  const list = trpc.blogs.mine.useQuery({ page, ...filters });
  const { data } = list;
  const { data: stats } = trpc.blogs.stats.useQuery();
  return (
    <div className="page my-blogs">
      <PageHead
        title="My blogs"
        actions={
          <div className="row wrap">
            <LinkButton to="/add-blog?live">Start a live blog</LinkButton>
            <LinkButton kind="primary" to="/add-blog">
              Write a blog
            </LinkButton>
          </div>
        }
      />
      <Invitations />
      {stats && <Stats stats={stats} />}
      <section aria-labelledby="my-blogs-list">
        <h2 id="my-blogs-list" className="visually-hidden" data-focus>
          Blogs
        </h2>
        {(hasFilters || page > 1 || (data && data.blogs.length > 0)) && <OwnListHead filters={filters} />}
        <p className="visually-hidden" role="status">
          {data && foundText(filters, data.blogs.length, data.hasMore)}
        </p>
        <QueryResult query={list} noun="blogs" fallback={<BlogListSkeleton />} failure={messages.dataFetch}>
          {({ blogs, hasMore }) => (
            <>
              {blogs.length > 0 ? (
                <ul className="cards lined">
                  {blogs.map((blog) => (
                    <OwnBlog key={blog.id} blog={blog} />
                  ))}
                </ul>
              ) : (
                <Nothing page={page} filters={filters} />
              )}
              <Pager action={OWN_LIST} parameters={{ ...filters }} page={page} hasMore={hasMore} />
            </>
          )}
        </QueryResult>
      </section>
    </div>
  );
}

/** The sums of the viewer's blogs (docs/specification.md, 9.19). */
function Stats({ stats }: { stats: BlogStats }) {
  const figures = [
    { name: "Total blogs", value: stats.blogs.toLocaleString("en") },
    { name: "Likes", value: stats.likes.toLocaleString("en") },
    { name: "Comments", value: stats.comments.toLocaleString("en") },
    {
      name: "Average likes",
      value: stats.averageLikes.toLocaleString("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
    },
  ];
  return (
    <dl className="hairline-bottom my-blogs-stats">
      {figures.map(({ name, value }) => (
        <div key={name}>
          <dt className="note">{name}</dt>
          <dd className="tabular">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Nothing({ page, filters }: { page: number; filters: OwnListFilters }) {
  if (page === 1 && Object.keys(filters).length > 0)
    return (
      <EmptyState title={emptyListText(filters)} action={<LinkButton to={OWN_LIST}>Show all</LinkButton>} />
    );
  if (page > 1) return <NoSuchPage page={page} first={OWN_LIST} />;
  return (
    <EmptyState
      title="You haven’t written anything yet"
      action={<LinkButton to="/add-blog">Write your first blog</LinkButton>}
    >
      Your published blogs, private blogs and drafts will appear here.
    </EmptyState>
  );
}
