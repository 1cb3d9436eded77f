import { useId, useRef } from "react";
import type { ReactNode } from "react";
import type { Person } from "../../shared/users.ts";
import { trpc } from "../api/trpc.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Button } from "../ui/button.tsx";
import { useFocusAfterRemoval } from "../ui/focus-after-removal.ts";
import { QueryResult, type QueryResultProps } from "../ui/query-result.tsx";
import { setBlocked, setMuted } from "../blocks/block-mute.ts";
import { askToReport } from "../moderation/report.tsx";
import { SettingsSection } from "./settings-section.tsx";

export function BlockedPeople() {
  const query = trpc.social.blocked.useQuery();
  return (
    <People
      query={query}
      empty="You haven’t blocked anyone. To block someone, open the menu next to their name."
    >
      {(person) => <Row key={person.id} person={person} kind="blocked" />}
    </People>
  );
}

export function MutedPeople() {
  const query = trpc.social.muted.useQuery();
  return (
    <People
      query={query}
      empty="You haven’t muted anyone. To mute someone, open the menu next to their name."
    >
      {(person) => <Row key={person.id} person={person} kind="muted" />}
    </People>
  );
}

interface Props {
  query: QueryResultProps<{ people: Person[] }>["query"];
  empty: string;
  children: (person: Person) => ReactNode;
}

function People({ query, empty, children }: Props) {
  return (
    <QueryResult isInline query={query} noun="people">
      {({ people }) =>
        people.length > 0 ? <ul className="list">{people.map(children)}</ul> : <p className="soft">{empty}</p>
      }
    </QueryResult>
  );
}

// The name is no link: a blocked person’s profile is not found.
function Row({ person, kind }: { person: Person; kind: "blocked" | "muted" }) {
  const row = useRef<HTMLLIElement>(null);
  const name = useId();
  // The focus goes to the heading: the button of the next row would act on another person.
  useFocusAfterRemoval(row, useRef(false));
  return (
    <li className="row gap-3 settings-person" ref={row}>
      <Avatar person={person} size={36} />
      <p className="stack gap-0 grow">
        <bdi id={name} className="medium">
          {person.name}
        </bdi>
        <span className="note">@{person.username}</span>
      </p>
      {kind === "blocked" && (
        <Button
          size="s"
          kind="quiet"
          aria-describedby={name}
          onClick={() => askToReport({ kind: "profile", id: person.id, name: person.name })}
        >
          Report
        </Button>
      )}
      <Button
        size="s"
        aria-describedby={name}
        onClick={() => void (kind === "blocked" ? setBlocked : setMuted)(person, false)}
      >
        {kind === "blocked" ? "Unblock" : "Unmute"}
      </Button>
    </li>
  );
}

export function BlockedSettings() {
  return (
    <SettingsSection name="blocked">
      <BlockedPeople />
    </SettingsSection>
  );
}
