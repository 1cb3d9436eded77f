import type { ReactNode } from "react";
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
  asked: SearchParams;
  blogs: SearchQuery<BlogSearch>;
  people: SearchQuery<PeopleSearch>;
}

export function Results({ asked, blogs, people }: Props) {
  const { query, tab, page } = asked;
  const shown = { failure: messages.dataFetch, what: tab };
  return (
    <section className="search-results" aria-labelledby="search-results">
      {/* Announces results while the person types; a live region has to exist before its text changes. */}
      <div role="status">
        <h2 id="search-results" className="search-count" data-focus={page > 1 || undefined}>
          {headingOf(asked, (tab === "blogs" ? blogs : people).data)}
        </h2>
      </div>
      {tab === "blogs" ? (
        <QueryResult {...shown} asked={blogs} fallback={<BlogListSkeleton count={limits.page.search} />}>
          {(found) => <Blogs asked={asked} found={found} elsewhere={people.data?.total} />}
        </QueryResult>
      ) : query === "" ? (
        <NoPeopleQuery />
      ) : (
        <QueryResult {...shown} asked={people} fallback={<PeopleSkeleton count={limits.page.search} />}>
          {(found) => <People asked={asked} found={found} elsewhere={blogs.data?.total} />}
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
  asked,
  found,
  elsewhere,
}: {
  asked: SearchParams;
  found: BlogSearch;
  elsewhere: number | undefined;
}) {
  return (
    <Page asked={asked} found={found} elsewhere={elsewhere} isEmpty={found.blogs.length === 0}>
      <ul className="cards">
        {found.blogs.map((blog) => (
          <li key={blog.id}>
            <FoundBlog blog={blog} query={asked.query} />
          </li>
        ))}
      </ul>
    </Page>
  );
}

function People({
  asked,
  found,
  elsewhere,
}: {
  asked: SearchParams;
  found: PeopleSearch;
  elsewhere: number | undefined;
}) {
  return (
    <Page asked={asked} found={found} elsewhere={elsewhere} isEmpty={found.people.length === 0}>
      <ul className="people">
        {found.people.map((person) => (
          <FoundPerson key={person.id} person={person} />
        ))}
      </ul>
    </Page>
  );
}

interface PageProps {
  asked: SearchParams;
  found: { hasMore: boolean };
  elsewhere: number | undefined;
  isEmpty: boolean;
  children: ReactNode;
}

function Page({ asked, found, elsewhere, isEmpty, children }: PageProps) {
  const { query, tab, page } = asked;
  const kept = { ...(query === "" ? {} : { q: query }), ...(tab === "people" ? { tab } : {}) };
  return (
    <>
      {isEmpty ? <NoResults asked={asked} elsewhere={elsewhere ?? 0} /> : children}
      <Pager action="/search" keep={kept} page={page} hasMore={found.hasMore} />
    </>
  );
}

/** No results: offers the other tab if that has any. */
function NoResults({ asked, elsewhere }: { asked: SearchParams; elsewhere: number }) {
  const { query, tab, page } = asked;
  if (page > 1) return <NoSuchPage page={page} first={searchAddress({ ...asked, page: 1 })} />;
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
  const other = tab === "blogs" ? "people" : "blogs";
  return (
    <EmptyState
      title={tab === "blogs" ? "Try other words" : "No one by that name"}
      action={
        elsewhere > 0 ? (
          <LinkButton kind="primary" to={searchAddress({ query, tab: other, page: 1 })}>
            Show {countText(elsewhere, other)}
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
