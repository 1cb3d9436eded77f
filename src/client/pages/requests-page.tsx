import { messages } from "../../shared/errors.ts";
import { routes } from "../../shared/routes.ts";
import type { FollowRequest } from "../../shared/social.ts";
import { trpc } from "../api/trpc.ts";
import { requireViewer } from "./page.ts";
import type { PageFacts, PageRequest } from "./page.ts";
import { useMarkReadWhileShown } from "../notifications/mark-read.ts";
import { LinkButton, Button } from "../ui/button.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { EmptyState } from "../ui/empty.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { PeopleSkeleton, PersonRow } from "../profiles/person-row.tsx";
import { useViewer } from "../session/viewer.ts";
import { useId, useRef } from "react";
import { useFocusAfterRemoval } from "../ui/focus-after-removal.ts";
import { RelativeTime } from "../ui/time.tsx";
import { toast, toastWithUndo } from "../ui/toasts.tsx";
import { answerRequest, restoreRequest } from "../notifications/notification-mutations.ts";
import { mutate } from "../live/live.ts";
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
    <div className="page narrow">
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
    <ul className="people lined">
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

type Action = "accept" | "reject";

/** A follow request. No confirmation: a rejection can be undone. */
function RequestRow({ request }: { request: FollowRequest }) {
  const name = useId();
  const row = useRef<HTMLLIElement>(null);
  const isAnswered = useRef(false);
  useFocusAfterRemoval(row, isAnswered);

  const answer = async (action: Action): Promise<void> => {
    isAnswered.current = true;
    const result = await mutate(answerRequest, { request, action });
    if (!result) return;
    if (action === "accept") toast({ kind: "success", message: result.message || "Action successful" });
    else toastWithUndo(`Rejected ${request.name}’s request.`, () => void mutate(restoreRequest, request));
  };
  const button = (action: Action, label: string) => (
    <Button
      size="s"
      kind={action === "accept" ? "primary" : "plain"}
      aria-describedby={name}
      onClick={() => void answer(action)}
    >
      {label}
    </Button>
  );
  return (
    <PersonRow ref={row} person={request} nameId={name} note={<RelativeTime at={request.askedAt} />}>
      {button("accept", "Accept")}
      {button("reject", "Reject")}
    </PersonRow>
  );
}
