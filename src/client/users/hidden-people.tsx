import { useId, useRef } from "react";
import type { Person } from "../../shared/users.ts";
import { trpc } from "../api/trpc.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Button } from "../ui/button.tsx";
import { useKeptFocus } from "../ui/keep-focus.ts";
import { Loaded } from "../ui/loaded.tsx";
import { askToReport } from "./report.tsx";
import { hide } from "./hiding.ts";
import type { Way } from "./hiding.ts";

/** Whom one has blocked, or muted, and the way back. */
export function HiddenPeople({ way, nobody }: { way: Way; nobody: string }) {
  const asked = (way === "blocked" ? trpc.social.blocked : trpc.social.muted).useQuery();
  return (
    <Loaded isInline asked={asked} what="people">
      {({ people }) =>
        people.length > 0 ? (
          <ul className="settings-people">
            {people.map((person) => (
              <Hidden key={person.id} person={person} way={way} />
            ))}
          </ul>
        ) : (
          <p className="settings-text">{nobody}</p>
        )
      }
    </Loaded>
  );
}

/** No link: the profile of somebody who is blocked is not there. */
function Hidden({ person, way }: { person: Person; way: Way }) {
  const row = useRef<HTMLLIElement>(null);
  const name = useId();
  // To the heading: what is next would bring somebody else back.
  useKeptFocus(row, useRef(false));
  return (
    <li className="settings-person" ref={row}>
      <Avatar person={person} size={36} />
      <p>
        <bdi id={name}>{person.name}</bdi>
        <span>@{person.username}</span>
      </p>
      {way === "blocked" && (
        <Button
          size="s"
          kind="quiet"
          aria-describedby={name}
          onClick={() => askToReport({ kind: "profile", id: person.id, name: person.name })}
        >
          Report
        </Button>
      )}
      <Button size="s" aria-describedby={name} onClick={() => void hide(way, person, false)}>
        {way === "blocked" ? "Unblock" : "Unmute"}
      </Button>
    </li>
  );
}

/** Whom one has blocked. */
export function BlockedSettings() {
  return (
    <section className="settings-part" aria-labelledby="settings-blocked">
      <h2 id="settings-blocked">Blocked people</h2>
      <HiddenPeople
        way="blocked"
        nobody="You have blocked nobody. Where somebody stands, the menu beside their name does it: then neither of you finds the other here."
      />
    </section>
  );
}
