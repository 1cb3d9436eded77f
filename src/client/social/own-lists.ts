import type { Query, QueryClient } from "@tanstack/react-query";
import type { BlogCard } from "../../shared/blogs.ts";
import type { UserEvent } from "../../shared/events.ts";
import type { ListedPerson } from "../../shared/social.ts";
import { switchKey, wishes } from "./standing.ts";

interface Lists {
  blogs?: BlogCard[];
  people?: ListedPerson[];
}
type Keeps = (list: Lists, input: { username?: string; list?: string }) => boolean;

/**
 * Asks again for what an event of the viewer's own stream leaves older than the server's: what is shown at once, anything
 * else when the reader comes back to it. A list in which this tab has just turned a switch stays, so that it can be turned
 * back; so this looks before the event is applied to the cache.
 */
export function refreshLists(queryClient: QueryClient, viewer: { username: string }, event: UserEvent): void {
  const { username } = viewer;
  const refresh = (area: string, name: string, input?: object, keeps?: Keeps): void =>
    askAgain(queryClient, input ? [[area, name], { input }] : [[area, name]], keeps);
  switch (event.kind) {
    case "own.blogs":
      for (const name of ["mine", "stats", "byAuthor", "forEdit"]) refresh("blogs", name);
      return refresh("users", "profile");
    case "own.like":
    case "own.save": {
      const { blogId } = event;
      const [tab, key, on] =
        event.kind === "own.like"
          ? (["liked-blogs", switchKey.like(blogId), event.liked] as const)
          : (["saved-blogs", switchKey.save(blogId), event.saved] as const);
      const name = event.kind === "own.like" ? "liked" : "saved";
      return refresh("blogs", "byAuthor", { username, tab }, ({ blogs }) => {
        const blog = blogs?.find(({ id }) => id === blogId);
        return blog !== undefined && (wishes.get(key) !== undefined || blog[name] === on);
      });
    }
    case "follower.changed":
      refresh("users", "profile", { username });
      return refresh("social", "people", undefined, (_people, { list }) => list !== "followers");
    case "own.follow":
    case "follow.settled": {
      const { userId, status } = event;
      refresh("users", "profile");
      // What may be read came or went with it.
      for (const name of ["byAuthor", "recommended"]) refresh("blogs", name);
      return refresh("social", "people", undefined, ({ people }, input) => {
        if (input.list === "followers") return false;
        const person = people?.find(({ id }) => id === userId);
        const isTurnedHere = wishes.get(switchKey.follow(userId)) !== undefined || person?.follow === status;
        const isKnown = person !== undefined && event.kind === "own.follow" && isTurnedHere;
        return isKnown || input.username !== username;
      });
    }
    case "profile.changed":
      // Under another name there is nobody at the old one: LiveProfile leads to the new.
      if (event.person.username === username) return refresh("users", "profile");
      return void queryClient.invalidateQueries({ queryKey: [["users", "profile"]], refetchType: "none" });
    default:
  }
}

/** What is on its way may have been read before the event: it is asked for once more after it. */
function askAgain(queryClient: QueryClient, queryKey: readonly unknown[], keeps?: Keeps): void {
  const predicate = ({ queryKey: [, options], state: { data } }: Query): boolean =>
    !(keeps && data && keeps(data, (options as { input?: object } | undefined)?.input ?? {}));
  const onTheirWay = queryClient
    .getQueryCache()
    .findAll({ queryKey, fetchStatus: "fetching" })
    .filter((query) => !query.isActive() || query.state.data === undefined);
  void queryClient.invalidateQueries({ queryKey, refetchType: "none" });
  void queryClient.invalidateQueries({ queryKey, predicate });
  if (onTheirWay.length > 0)
    void Promise.allSettled(onTheirWay.map((query) => query.promise)).then(() =>
      queryClient.invalidateQueries({ predicate: (query) => onTheirWay.includes(query) }),
    );
}
