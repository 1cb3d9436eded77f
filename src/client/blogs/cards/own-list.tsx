import { useRef } from "react";
import { Form } from "react-router-dom";
import { Link } from "../../ui/link.tsx";
import { audienceLabels } from "../../../shared/audience.ts";
import { ownBlogFilters, ownBlogSorts } from "../../../shared/own-blogs.ts";
import { useSearchAsTyped } from "../../ui/search-as-typed.ts";
import { Icon } from "../../ui/icon.tsx";
import "../../ui/tabs.css";

export const OWN_LIST = "/my-blogs";

/** The list's filters in its address, except defaults. */
export interface OwnListFilters {
  show?: (typeof ownBlogFilters)[number];
  sort?: (typeof ownBlogSorts)[number];
  words?: string;
}

const maxQueryLength = 100;
const cleanQuery = (query: string): string => query.trim().slice(0, maxQueryLength).toWellFormed();

/** Parses the filters, ignoring invalid values. */
export function parseOwnListFilters(search: URLSearchParams): OwnListFilters {
  const show = ownBlogFilters.find((one) => one === search.get("show"));
  const sort = ownBlogSorts.find((one) => one === search.get("sort"));
  const words = cleanQuery(search.get("words") ?? "");
  return {
    ...(show && show !== "all" ? { show } : {}),
    ...(sort && sort !== "latest" ? { sort } : {}),
    ...(words ? { words } : {}),
  };
}

function ownListUrl({ show = "all", sort = "latest", words = "" }: OwnListFilters): string {
  const query = new URLSearchParams({
    ...(show === "all" ? {} : { show }),
    ...(sort === "latest" ? {} : { sort }),
    ...(words ? { words } : {}),
  }).toString();
  return query ? `${OWN_LIST}?${query}` : OWN_LIST;
}

const filterLabels: Record<(typeof ownBlogFilters)[number], string> = {
  all: "All",
  published: "Published",
  scheduled: "Scheduled",
  drafts: "Drafts",
  private: audienceLabels.followers,
};
const orderLabels: Record<(typeof ownBlogSorts)[number], string> = {
  latest: "Newest first",
  oldest: "Oldest first",
};

/** The filters of the viewer's blogs: links and a form, so that they work without JavaScript. */
export function OwnListHead({ filters }: { filters: OwnListFilters }) {
  const { show = "all", sort = "latest", words = "" } = filters;
  const box = useRef<HTMLInputElement>(null);
  const { onSubmit, boxProps } = useSearchAsTyped(box, {
    query: words,
    normalize: cleanQuery,
    addressOf: (query) => ownListUrl({ ...filters, words: query }),
  });
  return (
    <div className="mt-3 own-list-head">
      <nav className="tabs" aria-label="Kinds">
        {ownBlogFilters.map((one) => (
          <Link
            key={one}
            to={ownListUrl({ ...filters, show: one })}
            aria-current={one === show ? "page" : undefined}
          >
            {filterLabels[one]}
          </Link>
        ))}
      </nav>
      <div className="row wrap between own-list-find">
        <Form method="get" action={OWN_LIST} className="row field-search" role="search" onSubmit={onSubmit}>
          {show !== "all" && <input type="hidden" name="show" value={show} />}
          {sort !== "latest" && <input type="hidden" name="sort" value={sort} />}
          <Icon name="search" size={18} />
          <input
            ref={box}
            type="search"
            name="words"
            className="field-box"
            aria-label="Search in your titles"
            placeholder="Search in your titles"
            defaultValue={words}
            maxLength={maxQueryLength}
            autoComplete="off"
            {...boxProps}
          />
        </Form>
        <nav className="row gap-5 small feed-sorts" aria-label="Order">
          {ownBlogSorts.map((one) => (
            <Link
              key={one}
              to={ownListUrl({ ...filters, sort: one })}
              aria-current={one === sort ? "true" : undefined}
            >
              {orderLabels[one]}
            </Link>
          ))}
        </nav>
      </div>
    </div>
  );
}

/** Returns the announcement of a search result. */
export const foundText = (filters: OwnListFilters, count: number, hasMore: boolean): string => {
  if (!filters.words) return "";
  if (count === 0) return emptyListText(filters);
  const blogs = count === 1 ? "1 blog" : `${count} blogs`;
  return `${hasMore ? `The first ${blogs}` : blogs} with “${filters.words}” in the title`;
};

export const emptyListText = ({ show = "all", words }: OwnListFilters): string => {
  const kind = show === "all" ? "" : `${filterLabels[show].toLowerCase()} `;
  return words ? `No ${kind}blog of yours has “${words}” in its title` : `You have no ${kind}blogs`;
};
