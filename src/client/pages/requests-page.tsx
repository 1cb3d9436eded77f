import { messages } from "../../shared/errors.ts";
import { routes } from "../../shared/routes.ts";
import type { FollowRequest } from "../../shared/social.ts";
import { trpc } from "../api/trpc.ts";
import { requireViewer } from "./page.ts";
import type { PageFacts, PageRequest } from "./page.ts";
import { RequestRow } from "../notifications/request-row.tsx";
import { useMarkReadWhileShown } from "../notifications/mark-read.ts";
import { LinkButton } from "../ui/button.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { EmptyState } from "../ui/empty.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { PeopleSkeleton } from "../profiles/person-row.tsx";
import { useViewer } from "../session/viewer.ts";
import "../profiles/people.css";

export async function loader(request: PageRequest): Promise<PageFacts> {
  requireViewer(request);
  await request.data.social.requests.fetch();
  return { title: "Follow requests" };
}

/** The follow requests, oldest first: new ones move nothing. */
export default function RequestsPage() {
  const query = trpc.social.requests.useQuery(undefined, { select: requestsOf });
  useMarkReadWhileShown("request");
  return (
    <div className="page people-page">
      <PageHead title="Follow requests">{query.data && countText(query.data.length)}</PageHead>
      <QueryResult
        query={query}
        noun="follow requests"
        fallback={<PeopleSkeleton count={3} />}
        failure={messages.requestsLoad}
      >
        {(requests) => (requests.length > 0 ? <List requests={requests} /> : <Nothing />)}
      </QueryResult>
    </div>
  );
}

const requestsOf = ({ requests }: { requests: FollowRequest[] }): FollowRequest[] => requests;

const countText = (count: number): string =>
  count === 0
    ? "No one is waiting"
    : count === 1
      ? "1 person is waiting"
      : `${count.toLocaleString("en")} people are waiting`;

function List({ requests }: { requests: readonly FollowRequest[] }) {
  return (
    <ul className="people">
      {requests.toReversed().map((request) => (
        <RequestRow key={request.id} request={request} />
      ))}
    </ul>
  );
}

function Nothing() {
  const viewer = useViewer();
  if (!viewer?.private) {
    return (
      <EmptyState title="Your account is public" action={<LinkButton to="/settings">Settings</LinkButton>}>
        Anyone can follow you without asking. If you make your account private, follow requests appear here.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="No requests"
      action={<LinkButton to={routes.profile(viewer.username)}>Your profile</LinkButton>}
    >
      Follow requests appear here. People you approve can read your blogs.
    </EmptyState>
  );
}
