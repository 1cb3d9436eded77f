import { redirect, useParams, useSearchParams } from "react-router-dom";
import { rankTopics, sortParameters } from "../../shared/feed-sorts.ts";
import { routes } from "../../shared/routes.ts";
import { maxCountedBlogs } from "../../shared/tags.ts";
import { trpc } from "../api/trpc.ts";
import type { PageFacts, PageRequest } from "./page.ts";
import { parseFeedInput } from "../blogs/feed/feed-data.ts";
import { FeedList } from "../blogs/feed/feed-list.tsx";
import { freshBlogsOfTag } from "../blogs/feed/fresh-blogs.ts";
import { RecommendedTopics } from "../blogs/feed/topics.tsx";
import "../blogs/blog-queries.ts";
import { LinkButton } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { useViewer } from "../session/viewer.ts";
import { FollowTag } from "../settings/follow-tag.tsx";

export async function loader({ params, url, data, viewer }: PageRequest): Promise<PageFacts> {
  const { page, sort } = parseFeedInput(url.searchParams);
  const requestedTag = params.tag ?? "";
  const { tag, blogs, hasMore, count } = await data.blogs.byTag.fetch({ tag: requestedTag, page, sort });
  if (tag !== requestedTag) throw redirect(routes.tag(tag) + url.search, 301);
  const path = routes.tag(tag);
  const query = `${new URLSearchParams({ ...(page > 1 && { page: String(page) }), ...sortParameters(sort) })}`;
  return {
    title: page > 1 ? `#${tag}, page ${page}` : `#${tag}`,
    description: `Blogs with the tag ${tag}.`,
    canonical: query === "" ? path : `${path}?${query}`,
    isNotFound: page > 1 ? blogs.length === 0 && !hasMore : count === 0 && !viewer?.interests.includes(tag),
    ...(count > 0 ? { feed: { title: `#${tag}`, path } } : {}),
    // A page beyond the last is not cached.
    ...(blogs.length > 0
      ? {
          topics: ["feed", "search", ...rankTopics(sort), ...blogs.map(({ id }) => `blog:${id}`)],
        }
      : {}),
  };
}

export default function TagPage() {
  const { tag = "" } = useParams();
  const [search] = useSearchParams();
  const viewer = useViewer();
  const { client } = trpc.useUtils();
  const input = { tag, ...parseFeedInput(search) };
  const query = trpc.blogs.byTag.useQuery(input);
  const count = query.data?.count ?? 0;
  return (
    <div className="page">
      <PageHead
        title={`#${tag}`}
        actions={
          <>
            <FollowTag tag={tag} />
            {count > 0 && (
              <LinkButton kind="quiet" reloadDocument to={`${routes.tag(tag)}/feed.xml`}>
                Feed
              </LinkButton>
            )}
          </>
        }
      >
        {count > maxCountedBlogs
          ? `More than ${maxCountedBlogs.toLocaleString("en")} blogs`
          : count === 1
            ? "1 blog"
            : `${count} blogs`}
      </PageHead>
      <div className="with-side">
        <FeedList
          query={query}
          sort={input.sort}
          action={routes.tag(tag)}
          heading="Blogs"
          fresh={freshBlogsOfTag(client, input)}
          nothing={
            <EmptyState
              title={`No blog has the tag ${tag} yet`}
              action={
                <LinkButton kind="primary" to={viewer ? "/add-blog" : routes.search(tag)}>
                  {viewer ? "Write the first one" : "Search"}
                </LinkButton>
              }
            >
              {viewer
                ? "Blogs with this tag will appear here."
                : "Try searching for it in the text of blogs."}
            </EmptyState>
          }
        />
        <aside className="side">
          <RecommendedTopics />
        </aside>
      </div>
    </div>
  );
}
