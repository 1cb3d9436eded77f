import { trpc } from "../../api/trpc.ts";
import { useViewer } from "../../session/viewer.ts";
import { useSearch } from "../../ui/location.ts";
import { homeInput } from "./feed-data.ts";

/** The list that the home page shows by its address, and what is asked there. */
export function useFeed() {
  const isMember = useViewer() !== null;
  const { page, sort } = homeInput(useSearch(), isMember);
  const isFollowing = sort === "following";
  const following = trpc.blogs.following.useQuery({ page }, { enabled: isFollowing });
  const everybodys = trpc.blogs.list.useQuery(
    { page, sort: isFollowing ? "latest" : sort },
    { enabled: !isFollowing },
  );
  return { page, sort, isMember, asked: isFollowing ? following : everybodys };
}
