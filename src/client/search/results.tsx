import type { ReactNode } from "react";
import { Link } from "../ui/link.tsx";
import { messages } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import type { BlogSearch, PeopleSearch, FoundBlog, FoundPerson, TextPart } from "../../shared/search.ts";
import { BlogListSkeleton } from "../blogs/cards/blog-list.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { NoSuchPage, Pager } from "../ui/pager.tsx";
import { LinkButton } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty.tsx";
import { PeopleSkeleton, PersonRow } from "../profiles/person-row.tsx";
import { searchAddress } from "./search-params.ts";
import type { SearchParams } from "./search-params.ts";
import { countText } from "./counts.ts";
import { fold } from "../../shared/fold.ts";
import { routes } from "../../shared/routes.ts";
import { BlogCard } from "../blogs/cards/blog-card.tsx";
import { FollowButton } from "../profiles/follow-button.tsx";
import "../blogs/blog-queries.ts";

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
        <h2 id="search-results" className="muted search-count" data-focus={page > 1 || undefined}>
          {headingOf(params, data)}
        </h2>
        {suggestion !== undefined && (
          <p className="size-l search-suggestion">
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
          {(result) => (
            <Page params={params} hasMore={result.hasMore} otherTotal={people.data?.total}>
              {result.blogs.length > 0 && (
                <ul className="cards lined">
                  {result.blogs.map((blog) => (
                    <li key={blog.id}>
                      <BlogResult blog={blog} query={query} />
                    </li>
                  ))}
                </ul>
              )}
            </Page>
          )}
        </QueryResult>
      ) : query === "" ? (
        <NoPeopleQuery />
      ) : (
        <QueryResult {...resultProps} query={people} fallback={<PeopleSkeleton count={limits.page.search} />}>
          {(result) => (
            <Page params={params} hasMore={result.hasMore} otherTotal={blogs.data?.total}>
              {result.people.length > 0 && (
                <ul className="people lined mt-3">
                  {result.people.map((person) => (
                    <PersonResult key={person.id} person={person} />
                  ))}
                </ul>
              )}
            </Page>
          )}
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

interface PageProps {
  params: SearchParams;
  hasMore: boolean;
  otherTotal: number | undefined;
  /** The results; false for none. */
  children: ReactNode;
}

function Page({ params, hasMore, otherTotal, children }: PageProps) {
  const { query, tab, page } = params;
  const parameters = { ...(query === "" ? {} : { q: query }), ...(tab === "people" ? { tab } : {}) };
  return (
    <>
      {children || <NoResults params={params} otherTotal={otherTotal ?? 0} />}
      <Pager action="/search" parameters={parameters} page={page} hasMore={hasMore} />
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

function Marked({ parts }: { parts: readonly TextPart[] }) {
  // The parts have no ids and a fixed order.
  return parts.map(({ text, hit }, index) => (hit ? <mark key={index}>{text}</mark> : text));
}

const hasHit = (parts: readonly TextPart[]): boolean => parts.some(({ hit }) => hit);

/** Tags shown of each blog: more would dominate the list. */
const TAGS = 4;

function BlogResult({ blog, query }: { blog: FoundBlog; query: string }) {
  const text = bestText(blog);
  return (
    <BlogCard
      blog={blog}
      title={<Marked parts={blog.highlights.title} />}
      text={
        text.length > 0 &&
        (blog.entryId === undefined ? (
          <Marked parts={text} />
        ) : (
          <Link to={routes.entry(blog.slug, blog.entryId)} className="found-entry">
            <Marked parts={text} />
          </Link>
        ))
      }
      facts={<Tags tags={blog.tags} query={query} />}
    />
  );
}

/** Prefers the entry that it was found by, then the text with a hit; a blog found by its tags shows its description. */
function bestText({ entryId, highlights: { description, snippet } }: FoundBlog): TextPart[] {
  if (entryId !== undefined) return snippet;
  if (hasHit(description)) return description;
  return hasHit(snippet) || description.length === 0 ? snippet : description;
}

function Tags({ tags, query }: { tags: readonly string[]; query: string }) {
  const words = fold(query).split(/\s+/).filter(Boolean);
  const isMatch = (tag: string): boolean => words.some((word) => fold(tag).startsWith(word));
  const shown = [...tags.filter(isMatch), ...tags.filter((tag) => !isMatch(tag))].slice(0, TAGS);
  if (shown.length === 0) return null;
  return (
    <ul className="row wrap found-tags" aria-label="Tags">
      {shown.map((tag) => (
        <li key={tag}>
          <Link className="muted plain-link hover-ink" to={routes.tag(tag)}>
            {isMatch(tag) ? <mark>{tag}</mark> : tag}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function PersonResult({ person }: { person: FoundPerson }) {
  const { name, username, bio } = person.highlights;
  return (
    <PersonRow
      person={person}
      isHeading
      name={<Marked parts={name} />}
      username={<Marked parts={username} />}
      bio={bio.length > 0 && <Marked parts={bio} />}
    >
      <FollowButton person={person} status={person.follow} asksFirst={person.private} />
    </PersonRow>
  );
}
