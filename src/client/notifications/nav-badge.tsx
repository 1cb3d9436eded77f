import { trpc } from "../api/trpc.ts";
import { Badge } from "../ui/badge.tsx";

/** The badge of a place in the navigation, from the cache: follow requests, or what waits for moderators. Does not fetch. */
export default function NavBadge({ id, to }: { id: string; to: string }) {
  const { data: requests } = trpc.social.requests.useQuery(undefined, { enabled: false });
  const { data: waiting } = trpc.moderation.waiting.useQuery(undefined, { enabled: false });
  const count = {
    "/requests": requests?.requests.length,
    "/admin": waiting && waiting.reports + waiting.appeals + waiting.signups,
  }[to];
  return <Badge id={id} count={count ?? 0} />;
}
