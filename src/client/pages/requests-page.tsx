import { messages } from "../../shared/errors.ts";
import { routes } from "../../shared/routes.ts";
import type { FollowRequest } from "../../shared/social.ts";
import { trpc } from "../api/trpc.ts";
import { requireViewer } from "./page.ts";
import type { PageFacts, PageRequest } from "./page.ts";
import { RequestRow } from "../social/request-row.tsx";
import { useReadWhileShown } from "../social/reading.ts";
import { LinkButton } from "../ui/button.tsx";
import { ListFailure } from "../ui/list-failure.tsx";
import { EmptyState } from "../ui/empty.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { Loading } from "../ui/skeleton.tsx";
import { PersonSkeleton } from "../users/person-row.tsx";
import { useViewer } from "../session/viewer.ts";
import "../users/people.css";

export async function loader(request: PageRequest): Promise<PageFacts> {
  requireViewer(request);
  await request.data.social.requests.fetch();
  return { title: "Follow requests" };
}

/** Who asks to follow the viewer. Whoever has waited longest stands first: what comes meanwhile moves nothing. */
export default function RequestsPage() {
  const { data, error, refetch } = trpc.social.requests.useQuery(undefined, { select: requestsOf });
  useReadWhileShown("request");
  return (
    <div className="page people-page">
      <PageHead title="Follow requests">{data && countText(data.length)}</PageHead>
      {data ? (
        data.length > 0 ? (
          <List />
        ) : (
          <Nothing />
        )
      ) : error ? (
        <ListFailure title={messages.requestsLoad} retry={() => void refetch()} />
      ) : (
        <Waiting />
      )}
    </div>
  );
}

const requestsOf = ({ requests }: { requests: FollowRequest[] }): FollowRequest[] => requests;

const countText = (count: number): string =>
  count === 0
    ? "Nobody is waiting"
    : count === 1
      ? "1 person is waiting"
      : `${count.toLocaleString("en")} people are waiting`;

function List() {
  const { data = [] } = trpc.social.requests.useQuery(undefined, { select: requestsOf });
  return (
    <ul className="people">
      {data.toReversed().map((request) => (
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
        Everybody may follow you without asking. If you make your account private, those who want to follow
        you will ask here.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="No requests"
      action={<LinkButton to={routes.profile(viewer.username)}>Your profile</LinkButton>}
    >
      Those who want to follow you will ask here. They can read you once you accept.
    </EmptyState>
  );
}

function Waiting() {
  return (
    <Loading label="Loading follow requests">
      {Array.from({ length: 3 }, (_, index) => (
        <PersonSkeleton key={index} />
      ))}
    </Loading>
  );
}
