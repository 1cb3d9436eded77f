import { routes } from "../../../shared/routes.ts";
import { trpc } from "../../api/trpc.ts";
import { LinkButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty.tsx";
import { FeedList, sorts } from "./feed-list.tsx";
import { freshOfFeed } from "./show-fresh.ts";
import { useFeed } from "./use-feed.ts";

const ofMembers = [{ sort: "following", label: "Following" }, ...sorts] as const;

/** Everybody's blogs, or those of whom one follows, a page at a time. */
export function Feed() {
  const { page, sort, isMember, asked } = useFeed();
  const { client } = trpc.useUtils();
  return (
    <FeedList
      asked={asked}
      sort={sort}
      sorts={isMember ? ofMembers : sorts}
      action={routes.home()}
      heading="Blogs"
      fresh={freshOfFeed(client, { page, sort })}
      nothing={sort === "following" ? nothingFollowed : nothing}
    />
  );
}

const nothing = (
  <EmptyState
    title="Nothing has been published yet"
    action={
      <LinkButton kind="primary" to="/add-blog">
        Write the first blog
      </LinkButton>
    }
  >
    Public blogs will appear here, newest first.
  </EmptyState>
);

const nothingFollowed = (
  <EmptyState
    title="Follow people to read them here"
    action={
      <LinkButton kind="primary" to="/search">
        Find people to follow
      </LinkButton>
    }
  >
    Their blogs will appear here, newest first.
  </EmptyState>
);
