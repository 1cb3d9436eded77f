import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { messages } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import type { BlogSearch, PeopleSearch } from "../../shared/search.ts";
import { BlogListSkeleton } from "../blogs/cards/blog-list.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { NoSuchPage } from "../ui/no-such-page.tsx";
import { Pager } from "../ui/pager.tsx";
import { LinkButton } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty.tsx";
import { PeopleSkeleton } from "../profiles/person-row.tsx";
import { searchAddress } from "./search-params.ts";
import type { SearchParams } from "./search-params.ts";
import { countText } from "./counts.ts";
import { FoundBlog } from "./found-blog.tsx";
import { FoundPerson } from "./found-person.tsx";

interface SearchQuery<T> {
  data: T | undefined;
  error: unknown;
  refetch: () => unknown;
}

interface Props {
  params: SearchParams;
  blogs: SearchQuery<BlogSearch>;
  people: SearchQuery<PeopleSearch>;
}

export function Results({ params, blogs, people }: Props) {
  const { query, tab, page } = params;
  const { data } = tab === "blogs" ? blogs : people;
  const suggestion = data?.suggestion;
  const resultProps = { failure: messages.dataFetch, noun: tab };
  return (
    <section className="search-results" aria-labelledby="search-results">
      {/* Announces results while the person types; a live region has to exist before its text changes. */}
      <div role="status">
        <h2 id="search-results" className="search-count" data-focus={page > 1 || undefined}>
          {headingOf(params, data)}
        </h2>
        {suggestion !== undefined && (
          <p className="search-suggestion">
            Did you mean <Link to={searchAddress({ query: suggestion, tab, page: 1 })}>{suggestion}</Link>?
          </p>
        )}
      </div>
      {tab === "blogs" ? (
        <QueryResult
          {...resultProps}
          query={blogs}
          fallback={<BlogListSkeleton count={limits.page.search} />}
        >
          {(result) => <Blogs params={params} result={result} otherTotal={people.data?.total} />}
        </QueryResult>
      ) : query === "" ? (
        <NoPeopleQuery />
      ) : (
        <QueryResult {...resultProps} query={people} fallback={<PeopleSkeleton count={limits.page.search} />}>
          {(result) => <People params={params} result={result} otherTotal={blogs.data?.total} />}
        </QueryResult>
      )}
    </section>
  );
}

function headingOf({ query, tab }: SearchParams, data: BlogSearch | PeopleSearch | undefined): string {
  if (query === "") return tab === "blogs" ? "Newest blogs" : "People";
  if (data?.total === undefined) return `Results for “${query}”`;
  return `${countText(data.total, tab)} for “${query}”`;
}

function Blogs({
  params,
  result,
  otherTotal,
}: {
  params: SearchParams;
  result: BlogSearch;
  otherTotal: number | undefined;
}) {
  return (
    <Page params={params} result={result} otherTotal={otherTotal} isEmpty={result.blogs.length === 0}>
      <ul className="cards">
        {result.blogs.map((blog) => (
          <li key={blog.id}>
            <FoundBlog blog={blog} query={params.query} />
          </li>
        ))}
      </ul>
    </Page>
  );
}

function People({
  params,
  result,
  otherTotal,
}: {
  params: SearchParams;
  result: PeopleSearch;
  otherTotal: number | undefined;
}) {
  return (
    <Page params={params} result={result} otherTotal={otherTotal} isEmpty={result.people.length === 0}>
      <ul className="people">
        {result.people.map((person) => (
          <FoundPerson key={person.id} person={person} />
        ))}
      </ul>
    </Page>
  );
}

interface PageProps {
  params: SearchParams;
  result: { hasMore: boolean };
  otherTotal: number | undefined;
  isEmpty: boolean;
  children: ReactNode;
}

function Page({ params, result, otherTotal, isEmpty, children }: PageProps) {
  const { query, tab, page } = params;
  const parameters = { ...(query === "" ? {} : { q: query }), ...(tab === "people" ? { tab } : {}) };
  return (
    <>
      {isEmpty ? <NoResults params={params} otherTotal={otherTotal ?? 0} /> : children}
      <Pager action="/search" parameters={parameters} page={page} hasMore={result.hasMore} />
    </>
  );
}

/** No results: offers the other tab if that has any. */
function NoResults({ params, otherTotal }: { params: SearchParams; otherTotal: number }) {
  const { query, tab, page } = params;
  if (page > 1) return <NoSuchPage page={page} first={searchAddress({ ...params, page: 1 })} />;
  if (query === "") {
    return (
      <EmptyState
        title="Nothing has been published yet"
        action={
          <LinkButton kind="primary" to="/add-blog">
            Write the first blog
          </LinkButton>
        }
      />
    );
  }
  const otherTab = tab === "blogs" ? "people" : "blogs";
  return (
    <EmptyState
      title={tab === "blogs" ? "Try other words" : "No one by that name"}
      action={
        otherTotal > 0 ? (
          <LinkButton kind="primary" to={searchAddress({ query, tab: otherTab, page: 1 })}>
            Show {countText(otherTotal, otherTab)}
          </LinkButton>
        ) : (
          <LinkButton to="/search">Show the newest blogs</LinkButton>
        )
      }
    >
      {tab === "blogs"
        ? "We search titles, tags, descriptions and texts for all of your words. Fewer words find more."
        : "We search names, usernames and bios."}
    </EmptyState>
  );
}

function NoPeopleQuery() {
  return (
    <EmptyState title="Who are you looking for?">Type a name, a username, or a word from a bio.</EmptyState>
  );
}
