import { useRef } from "react";
import { messages } from "../../shared/errors.ts";
import { routes } from "../../shared/routes.ts";
import { followersHidden, peoplePrivate } from "../../shared/closed-lists.ts";
import type { ListedPerson, PeopleList as List } from "../../shared/social.ts";
import type { Profile } from "../../shared/users.ts";
import { errorCode } from "../api/errors.ts";
import { trpc } from "../api/trpc.ts";
import { ClosedAccount } from "./closed-account.tsx";
import { FollowButton } from "./follow-button.tsx";
import { Loaded } from "../ui/loaded.tsx";
import { NoSuchPage } from "../ui/no-such-page.tsx";
import { EmptyState } from "../ui/empty.tsx";
import { useKeptFocus } from "../ui/keep-focus.ts";
import { PeopleSkeleton, PersonRow } from "./person-row.tsx";
import { RemoveFollower } from "./remove-follower.tsx";
import "./people-queries.ts";

export type Which = "followers" | "following";

interface Props {
  profile: Profile;
  list: Which;
  page: number;
  /** Without the buttons: beside a profile, whose own Follow is meant there. */
  plain?: boolean;
  /** What stands below the people, given whether there are more of them. */
  children?: (list: List) => React.ReactNode;
}

/** Whether this viewer may see whom the account follows and by whom it is followed: then the numbers are told too. */
export const showsPeople = ({ followersCount }: Profile): boolean => followersCount !== null;

/** A page of somebody's followers, or of whom they follow. */
export function PeopleList({ profile, list, page, plain = false, children }: Props) {
  const { username } = profile;
  const asked = trpc.social.people.useQuery({ username, list, page }, { enabled: showsPeople(profile) });
  if (!showsPeople(profile) || errorCode(asked.error) === "FORBIDDEN")
    return profile.closed ? (
      <ClosedAccount profile={profile} title={peoplePrivate} />
    ) : (
      <EmptyState title={followersHidden} />
    );
  return (
    <Loaded asked={asked} what="people" waiting={<PeopleSkeleton count={4} />} failure={messages.dataFetch}>
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
            <EmptyState title={nobody(profile, list)} />
          )}
          {children?.(data)}
        </>
      )}
    </Loaded>
  );
}

function Listed({ person, isMine }: { person: ListedPerson; isMine: boolean }) {
  const row = useRef<HTMLLIElement>(null);
  const removed = useRef(false);
  useKeptFocus(row, removed);
  return (
    <PersonRow ref={row} person={person}>
      <FollowButton person={person} status={person.follow} asksFirst={person.private} />
      {isMine && <RemoveFollower person={person} removed={removed} />}
    </PersonRow>
  );
}

function nobody({ name, follow }: Profile, list: Which): string {
  if (follow === "self")
    return list === "followers" ? "Nobody follows you yet." : "You don’t follow anyone yet.";
  return list === "followers" ? `Nobody follows ${name} yet.` : `${name} doesn’t follow anyone yet.`;
}
