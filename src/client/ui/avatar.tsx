import type { CSSProperties } from "react";
import type { Person } from "../../shared/users.ts";
import { hueOf, initialsOf } from "../../shared/drawn.ts";
import "./avatar.css";

/** A person's picture, or initials on a colour of their own. Says nothing to a screen reader: the name stands beside it. */
export function Avatar({ person, size = 32 }: { person: Pick<Person, "name" | "picture">; size?: number }) {
  const box = { "--avatar": `${size / 16}rem` } as CSSProperties;
  if (person.picture) {
    return (
      <img
        className="avatar"
        src={person.picture}
        alt=""
        width={size}
        height={size}
        loading="lazy"
        decoding="async"
        style={box}
      />
    );
  }
  return (
    <span
      className="avatar drawn"
      aria-hidden="true"
      data-initials={initialsOf(person.name)}
      style={{ ...box, "--hue": hueOf(person.name) } as CSSProperties}
    />
  );
}
