import { useId, useRef } from "react";
import type { ReactNode } from "react";
import type { Person } from "../../shared/users.ts";
import { trpc } from "../api/trpc.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Button } from "../ui/button.tsx";
import { useKeptFocus } from "../ui/keep-focus.ts";
import { Loaded, type LoadedProps } from "../ui/loaded.tsx";
import { setBlocked, setMuted } from "./block-mute.ts";
import { askToReport } from "./report.tsx";

/** The people whom the viewer has blocked, to report or unblock them. */
export function BlockedPeople() {
  return (
    <People
      asked={trpc.social.blocked.useQuery()}
      empty="You haven’t blocked anyone. To block someone, open the menu next to their name."
      actions={(person, name) => (
        <>
          <Button
            size="s"
            kind="quiet"
            aria-describedby={name}
            onClick={() => askToReport({ kind: "profile", id: person.id, name: person.name })}
          >
            Report
          </Button>
          <Button size="s" aria-describedby={name} onClick={() => void setBlocked(person, false)}>
            Unblock
          </Button>
        </>
      )}
    />
  );
}

/** The people whom the viewer has muted, to unmute them. */
export function MutedPeople() {
  return (
    <People
      asked={trpc.social.muted.useQuery()}
      empty="You haven’t muted anyone. To mute someone, open the menu next to their name."
      actions={(person, name) => (
        <Button size="s" aria-describedby={name} onClick={() => void setMuted(person, false)}>
          Unmute
        </Button>
      )}
    />
  );
}

interface Props {
  asked: LoadedProps<{ people: Person[] }>["asked"];
  empty: string;
  /** The buttons of a row; `name` is the id of the element with the person’s name. */
  actions: (person: Person, name: string) => ReactNode;
}

function People({ asked, empty, actions }: Props) {
  return (
    <Loaded isInline asked={asked} what="people">
      {({ people }) =>
        people.length > 0 ? (
          <ul className="settings-people">
            {people.map((person) => (
              <Row key={person.id} person={person} actions={actions} />
            ))}
          </ul>
        ) : (
          <p className="settings-text">{empty}</p>
        )
      }
    </Loaded>
  );
}

// The name is no link: a blocked person’s profile is not found.
function Row({ person, actions }: { person: Person; actions: Props["actions"] }) {
  const row = useRef<HTMLLIElement>(null);
  const name = useId();
  // The focus goes to the heading: the button of the next row would act on another person.
  useKeptFocus(row, useRef(false));
  return (
    <li className="settings-person" ref={row}>
      <Avatar person={person} size={36} />
      <p>
        <bdi id={name}>{person.name}</bdi>
        <span>@{person.username}</span>
      </p>
      {actions(person, name)}
    </li>
  );
}

/** The part of the settings that lists blocked people. */
export function BlockedSettings() {
  return (
    <section className="settings-part" aria-labelledby="settings-blocked">
      <h2 id="settings-blocked">Blocked people</h2>
      <BlockedPeople />
    </section>
  );
}
