import { useId, useRef } from "react";
import { messages } from "../../shared/errors.ts";
import type { Person } from "../../shared/users.ts";
import { trpc } from "../api/trpc.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Button } from "../ui/button.tsx";
import { useKeptFocus } from "../ui/keep-focus.ts";
import { Loading, Skeleton } from "../ui/skeleton.tsx";
import { setBlocked } from "./block.ts";

/** Whom one has blocked, and the way back. */
export function BlockedSettings() {
  const { data, error, refetch } = trpc.social.blocked.useQuery();
  return (
    <section className="settings-part" aria-labelledby="settings-blocked">
      <h2 id="settings-blocked">Blocked people</h2>
      {data ? (
        data.people.length > 0 ? (
          <ul className="settings-people">
            {data.people.map((person) => (
              <Blocked key={person.id} person={person} />
            ))}
          </ul>
        ) : (
          <p className="settings-text">
            You have blocked nobody. Where somebody stands, the menu beside their name does it: then neither
            of you finds the other here.
          </p>
        )
      ) : error ? (
        <p className="settings-text" role="alert">
          {messages.dataLoad}{" "}
          <Button size="s" onClick={() => void refetch()}>
            Retry
          </Button>
        </p>
      ) : (
        <Loading label="Loading people">
          <Skeleton width="14rem" />
        </Loading>
      )}
    </section>
  );
}

/** No link: their profile is not there for whoever blocks them. */
function Blocked({ person }: { person: Person }) {
  const row = useRef<HTMLLIElement>(null);
  const name = useId();
  // To the heading: what is next would unblock somebody else.
  useKeptFocus(row, useRef(false));
  return (
    <li className="settings-person" ref={row}>
      <Avatar person={person} size={36} />
      <p>
        <bdi id={name}>{person.name}</bdi>
        <span>@{person.username}</span>
      </p>
      <Button size="s" aria-describedby={name} onClick={() => void setBlocked(person, false)}>
        Unblock
      </Button>
    </li>
  );
}
