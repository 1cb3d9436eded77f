import { useSearchParams } from "react-router-dom";
import { Link } from "../ui/link.tsx";
import { trpc } from "../api/trpc.ts";
import type { PageFacts, PageRequest } from "./page.ts";
import { searchAddress, parseSearchParams } from "../search/search-params.ts";
import type { SearchParams, SearchTab } from "../search/search-params.ts";
import { shortCount } from "../search/counts.ts";
import { Results } from "../search/results.tsx";
import { SearchBox } from "../search/search-box.tsx";
import { RecommendedTopics, TopicLinks, TopicsSection } from "../blogs/feed/topics.tsx";
import { useViewer } from "../session/viewer.ts";
import "../ui/tabs.css";
import "../search/search.css";
import "../profiles/profile-queries.ts";
import "../session/site-queries.ts";
import "../ui/cards.css";

export async function loader({ url, data }: PageRequest): Promise<PageFacts> {
  const params = parseSearchParams(url.searchParams);
  const { query, tab, page } = params;
  const [blogs, people] = await Promise.allSettled([
    tab === "blogs" || query !== "" ? data.blogs.search.fetch(inputOf(params, "blogs")) : undefined,
    query !== "" ? data.users.search.fetch(inputOf(params, "people")) : undefined,
    isFresh(params) && data.users.interestGroups.fetch(undefined, { staleTime: 60_000 }),
  ]);
  const failure = [blogs, people].find(({ status }) => status === "rejected");
  // In the browser the page shows the failure and keeps what was typed; if a further page fails, the current one stays.
  if (failure?.status === "rejected" && (typeof window === "undefined" || page > 1)) throw failure.reason;
  const found = tab === "blogs" ? valueOf(blogs)?.blogs : valueOf(people)?.people;
  return {
    title: titleOf(params),
    canonical: "/search",
    isNotFound: page > 1 && found?.length === 0,
    ...(query === ""
      ? {}
      : { feed: { title: `“${query}”`, path: "/search", query: `?${new URLSearchParams({ q: query })}` } }),
  };
}

const valueOf = <T,>(result: PromiseSettledResult<T>): T | undefined =>
  result.status === "fulfilled" ? result.value : undefined;

const isFresh = ({ query, tab, page }: SearchParams): boolean =>
  query === "" && tab === "blogs" && page === 1;

function titleOf({ query, tab }: SearchParams): string {
  if (query === "") return tab === "people" ? "People" : "Explore";
  return `“${query}” · ${tab === "people" ? "People" : "Blogs"}`;
}

/** The page of the current tab; the first of the other one, for its count. */
const inputOf = ({ query, tab, page }: SearchParams, requestedTab: SearchTab) => ({
  query,
  page: tab === requestedTab ? page : 1,
});

export default function SearchPage() {
  const [search] = useSearchParams();
  const params = parseSearchParams(search);
  const { query, tab } = params;
  // Not retried on mount: Retry does it.
  const blogs = trpc.blogs.search.useQuery(inputOf(params, "blogs"), {
    enabled: tab === "blogs" || query !== "",
    retryOnMount: false,
  });
  const people = trpc.users.search.useQuery(inputOf(params, "people"), {
    enabled: query !== "",
    retryOnMount: false,
  });
  return (
    <div className="page search">
      <header className="stack gap-5 search-head">
        <h1>Explore</h1>
        <SearchBox query={query} tab={tab} />
      </header>
      <div className="with-side">
        <div className="grow">
          <nav className="tabs" aria-label="What to search">
            <Tab
              params={params}
              tab="blogs"
              label="Blogs"
              total={query === "" ? undefined : blogs.data?.total}
            />
            <Tab params={params} tab="people" label="People" total={people.data?.total} />
          </nav>
          <Results params={params} blogs={blogs} people={people} />
        </div>
        <aside className="stack gap-8 side search-side">
          <TopicsToTry />
        </aside>
        {isFresh(params) && <AllTopics />}
      </div>
    </div>
  );
}

interface TabProps {
  params: SearchParams;
  tab: SearchTab;
  label: string;
  total: number | undefined;
}

function Tab({ params, tab, label, total }: TabProps) {
  return (
    <Link
      to={searchAddress({ query: params.query, tab, page: 1 })}
      aria-current={params.tab === tab ? "page" : undefined}
    >
      {label}
      {total !== undefined && (
        <span className="tab-count tabular">
          <span className="visually-hidden">, </span>
          {shortCount(total)}
          <span className="visually-hidden"> found</span>
        </span>
      )}
    </Link>
  );
}

function TopicsToTry() {
  const interests = useViewer()?.interests ?? [];
  return (
    <>
      {interests.length > 0 && <TopicsSection title="Your interests" topics={interests} />}
      <RecommendedTopics title="Topics to try" />
    </>
  );
}

function AllTopics() {
  const { data } = trpc.users.interestGroups.useQuery(undefined, { retryOnMount: false });
  if (!data) return null;
  return (
    <section aria-labelledby="all-topics">
      <h2 id="all-topics" className="list-head size-xl">
        By subject
      </h2>
      {data.groups.map(({ name, topics }) => (
        <details key={name} name="all-topics" className="hairline-bottom all-topics-group">
          <summary className="row between medium">{name}</summary>
          <TopicLinks topics={topics} />
        </details>
      ))}
    </section>
  );
}
