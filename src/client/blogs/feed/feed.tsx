import { routes } from "../../../shared/routes.ts";
import { trpc } from "../../api/trpc.ts";
import { LinkButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty.tsx";
import { FeedList, sorts } from "./feed-list.tsx";
import { freshBlogsOfFeed } from "./fresh-blogs.ts";
import { useFeed } from "./use-feed.ts";

const memberSorts = [{ sort: "following", label: "Following" }, ...sorts] as const;

export function Feed() {
  const { page, sort, isMember, query } = useFeed();
  const { client } = trpc.useUtils();
  return (
    <FeedList
      query={query}
      sort={sort}
      sorts={isMember ? memberSorts : sorts}
      action={routes.home()}
      heading="Blogs"
      fresh={freshBlogsOfFeed(client, { page, sort })}
      nothing={sort === "following" ? emptyFollowing : emptyFeed}
    />
  );
}

const emptyFeed = (
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

const emptyFollowing = (
  <EmptyState
    title="Follow people and tags to read them here"
    action={
      <LinkButton kind="primary" to="/search">
        Find people and tags
      </LinkButton>
    }
  >
    Blogs by people and with tags that you follow will appear here, newest first.
  </EmptyState>
);
