import type { Viewer } from "../../shared/users.ts";
import { useNews } from "../social/use-news.ts";
import { DeleteAccountHost } from "./delete-account.tsx";

/** What every page of a member has beside what it shows; loaded after the page itself. */
export default function MemberParts({ viewer }: { viewer: Viewer }) {
  useNews(viewer);
  return <DeleteAccountHost viewer={viewer} />;
}
