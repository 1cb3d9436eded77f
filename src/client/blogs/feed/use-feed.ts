import { useSearchParams } from "react-router-dom";
import { trpc } from "../../api/trpc.ts";
import { useViewer } from "../../session/viewer.ts";
import { homeInput } from "./feed-data.ts";

/** The list that the home page shows by its address, and what is asked there. */
export function useFeed() {
  const isMember = useViewer() !== null;
  const [search] = useSearchParams();
  const { page, sort } = homeInput(search, isMember);
  const isFollowing = sort === "following";
  const following = trpc.blogs.following.useQuery({ page }, { enabled: isFollowing });
  const everybodys = trpc.blogs.list.useQuery(
    { page, sort: isFollowing ? "latest" : sort },
    { enabled: !isFollowing },
  );
  return { page, sort, isMember, asked: isFollowing ? following : everybodys };
}
