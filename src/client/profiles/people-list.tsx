import { useRef } from "react";
import { messages } from "../../shared/errors.ts";
import { routes } from "../../shared/routes.ts";
import { followersHidden, peoplePrivate } from "../../shared/private-list-messages.ts";
import type { ListedPerson, PeopleList as List } from "../../shared/social.ts";
import type { Profile } from "../../shared/users.ts";
import { errorCode } from "../api/errors.ts";
import { trpc } from "../api/trpc.ts";
import { ClosedAccount } from "./closed-account.tsx";
import { FollowButton } from "./follow-button.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { NoSuchPage } from "../ui/no-such-page.tsx";
import { EmptyState } from "../ui/empty.tsx";
import { useFocusAfterRemoval } from "../ui/focus-after-removal.ts";
import { PeopleSkeleton, PersonRow } from "./person-row.tsx";
import { RemoveFollower } from "./remove-follower.tsx";
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
            <ul className="people">
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
