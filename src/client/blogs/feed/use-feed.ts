import { useSearchParams } from "react-router-dom";
import { defaultSort } from "../../../shared/feed-sorts.ts";
import { trpc } from "../../api/trpc.ts";
import { useViewer } from "../../session/viewer.ts";
import { parseHomeInput } from "./feed-data.ts";

/** Returns the feed that the address selects, and its input. */
export function useFeed() {
  const isMember = useViewer() !== null;
  const [search] = useSearchParams();
  const { page, sort } = parseHomeInput(search, isMember);
  const isFollowing = sort === "following";
  const following = trpc.blogs.following.useQuery({ page }, { enabled: isFollowing });
  const everybodys = trpc.blogs.list.useQuery(
    { page, sort: isFollowing ? defaultSort : sort },
    { enabled: !isFollowing },
  );
  return { page, sort, isMember, query: isFollowing ? following : everybodys };
}
