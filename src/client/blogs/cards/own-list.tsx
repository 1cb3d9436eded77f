import { useRef } from "react";
import { Form, Link } from "react-router-dom";
import { ownShown, ownSorts } from "../../../shared/own-list.ts";
import { useAskAsTyped } from "../../ui/ask-as-typed.ts";
import { Icon } from "../../ui/icon.tsx";
import "../../ui/tabs.css";

export const OWN_LIST = "/my-blogs";

/** What the address of the list asks for; what is as it is by itself is left out. */
export interface OwnAsked {
  show?: (typeof ownShown)[number];
  sort?: (typeof ownSorts)[number];
  words?: string;
}

const most = 100;
const cleaned = (words: string): string => words.trim().slice(0, most).toWellFormed();

/** Reads it, whatever an address may hold. */
export function ownAsked(search: URLSearchParams): OwnAsked {
  const show = ownShown.find((one) => one === search.get("show"));
  const sort = ownSorts.find((one) => one === search.get("sort"));
  const words = cleaned(search.get("words") ?? "");
  return {
    ...(show && show !== "all" ? { show } : {}),
    ...(sort && sort !== "latest" ? { sort } : {}),
    ...(words ? { words } : {}),
  };
}

/** The address of another of these lists. */
function addressOf({ show = "all", sort = "latest", words = "" }: OwnAsked): string {
  const query = new URLSearchParams({
    ...(show === "all" ? {} : { show }),
    ...(sort === "latest" ? {} : { sort }),
    ...(words ? { words } : {}),
  }).toString();
  return query ? `${OWN_LIST}?${query}` : OWN_LIST;
}

const names: Record<(typeof ownShown)[number], string> = {
  all: "All",
  published: "Published",
  scheduled: "Scheduled",
  drafts: "Drafts",
  private: "Private",
};
const orders: Record<(typeof ownSorts)[number], string> = { latest: "Newest first", oldest: "Oldest first" };

/** Chooses among one's own blogs by addresses, so that it works without a script, and a reload or a link finds the same list. */
export function OwnListHead({ asked }: { asked: OwnAsked }) {
  const { show = "all", sort = "latest", words = "" } = asked;
  const box = useRef<HTMLInputElement>(null);
  const { onSubmit, boxProps } = useAskAsTyped(box, {
    query: words,
    cleaned,
    addressOf: (wanted) => addressOf({ ...asked, words: wanted }),
  });
  return (
    <div className="own-list-head">
      <nav className="tabs" aria-label="Kinds">
        {ownShown.map((one) => (
          <Link
            key={one}
            to={addressOf({ ...asked, show: one })}
            aria-current={one === show ? "page" : undefined}
          >
            {names[one]}
          </Link>
        ))}
      </nav>
      <div className="own-list-find">
        <Form method="get" action={OWN_LIST} role="search" onSubmit={onSubmit}>
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
            maxLength={most}
            autoComplete="off"
            {...boxProps}
          />
        </Form>
        <nav className="feed-sorts" aria-label="Order">
          {ownSorts.map((one) => (
            <Link
              key={one}
              to={addressOf({ ...asked, sort: one })}
              aria-current={one === sort ? "true" : undefined}
            >
              {orders[one]}
            </Link>
          ))}
        </nav>
      </div>
    </div>
  );
}

/** What is said of what was found, to those who do not see it. */
export const foundOf = (asked: OwnAsked, count: number, hasMore: boolean): string => {
  if (!asked.words) return "";
  if (count === 0) return noneOf(asked);
  const blogs = count === 1 ? "1 blog" : `${count} blogs`;
  return `${hasMore ? `The first ${blogs}` : blogs} with “${asked.words}” in the title`;
};

/** What is said where none is in the list that was chosen. */
export const noneOf = ({ show = "all", words }: OwnAsked): string => {
  const kind = show === "all" ? "" : `${names[show].toLowerCase()} `;
  return words ? `No ${kind}blog of yours has “${words}” in its title` : `You have no ${kind}blogs`;
};
