import { useRef } from "react";
import type { RefObject } from "react";
import { messages } from "../../shared/errors.ts";
import { routes } from "../../shared/routes.ts";
import { followersHidden, peoplePrivate } from "../../shared/audience.ts";
import type { ListedPerson, PeopleList as List } from "../../shared/social.ts";
import type { Profile, Person } from "../../shared/users.ts";
import { errorCode } from "../api/errors.ts";
import { trpc } from "../api/trpc.ts";
import { ClosedAccount } from "./closed-account.tsx";
import { FollowButton } from "./follow-button.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { NoSuchPage } from "../ui/pager.tsx";
import { EmptyState } from "../ui/empty.tsx";
import { useFocusAfterRemoval } from "../ui/focus-after-removal.ts";
import { PeopleSkeleton, PersonRow } from "./person-row.tsx";
import { removeFollower } from "./profile-mutations.ts";
import { mutate } from "../live/live.ts";
import { Button } from "../ui/button.tsx";
import { confirm } from "../ui/confirm.tsx";
import { toast } from "../ui/toasts.tsx";
import { useViewer } from "../session/viewer.ts";
import "./people-queries.ts";

export type PeopleListKind = "followers" | "following";

interface Props {
  profile: Profile;
  list: PeopleListKind;
  page: number;
  /** Without buttons: beside a profile, which has its own Follow button. */
  plain?: boolean;
  children?: (list: List) => React.ReactNode;
}

/** Whether the viewer can see the account's followers and followed people, and so the counts. */
export const showsPeople = ({ followersCount }: Profile): boolean => followersCount !== null;

export function PeopleList({ profile, list, page, plain = false, children }: Props) {
  const { username } = profile;
  const query = trpc.social.people.useQuery({ username, list, page }, { enabled: showsPeople(profile) });
  if (!showsPeople(profile) || errorCode(query.error) === "FORBIDDEN")
    return profile.closed ? (
      <ClosedAccount profile={profile} title={peoplePrivate} />
    ) : (
      <EmptyState title={followersHidden} />
    );
  return (
    <QueryResult
      query={query}
      noun="people"
      fallback={<PeopleSkeleton count={4} />}
      failure={messages.dataFetch}
    >
      {(data) => (
        <>
          {data.people.length > 0 ? (
            <ul className="people lined">
              {data.people.map((person) =>
                plain ? (
                  <PersonRow key={person.id} person={person} />
                ) : (
                  <Listed
                    key={person.id}
                    person={person}
                    isMine={profile.follow === "self" && list === "followers"}
                  />
                ),
              )}
            </ul>
          ) : page > 1 ? (
            <NoSuchPage page={page} first={routes[list](username)} />
          ) : (
            <EmptyState title={emptyText(profile, list)} />
          )}
          {children?.(data)}
        </>
      )}
    </QueryResult>
  );
}

function Listed({ person, isMine }: { person: ListedPerson; isMine: boolean }) {
  const row = useRef<HTMLLIElement>(null);
  const removed = useRef(false);
  useFocusAfterRemoval(row, removed);
  return (
    <PersonRow ref={row} person={person}>
      <FollowButton person={person} status={person.follow} asksFirst={person.private} />
      {isMine && <RemoveFollower person={person} removed={removed} />}
    </PersonRow>
  );
}

function emptyText({ name, follow }: Profile, list: PeopleListKind): string {
  if (follow === "self")
    return list === "followers" ? "Nobody follows you yet." : "You don’t follow anyone yet.";
  return list === "followers" ? `Nobody follows ${name} yet.` : `${name} doesn’t follow anyone yet.`;
}

/** Removes a follower after a question, since only they can undo it, and sets `removed`. */
function RemoveFollower({ person, removed }: { person: Person; removed: RefObject<boolean> }) {
  const viewer = useViewer();
  const remove = async (): Promise<void> => {
    const body = viewer?.private
      ? "They can no longer see your blogs, and have to ask again."
      : "We won’t tell them, and they can follow you again.";
    const title = `Remove ${person.name} from your followers?`;
    if (!(await confirm({ title, body, action: "Remove", danger: true }))) return;
    removed.current = true;
    const answer = await mutate(removeFollower, { id: person.id });
    if (answer) toast({ kind: "success", message: answer.message });
  };
  return (
    <Button size="s" kind="quiet" onClick={() => void remove()}>
      Remove<span className="visually-hidden"> {person.name}</span>
    </Button>
  );
}
