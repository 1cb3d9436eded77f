import type { CSSProperties } from "react";
import type { Person } from "../../shared/users.ts";
import { hueOf, initialsOf } from "../../shared/initials.ts";
import "./avatar.css";

/** A person's picture, or coloured initials. Hidden from screen readers: the name is beside it. */
export function Avatar({ person, size = 32 }: { person: Pick<Person, "name" | "picture">; size?: number }) {
  const style = { "--avatar": `${size / 16}rem` } as CSSProperties;
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
        style={style}
      />
    );
  }
  return (
    <span
      className="avatar drawn"
      aria-hidden="true"
      data-initials={initialsOf(person.name)}
      style={{ ...style, "--hue": hueOf(person.name) } as CSSProperties}
    />
  );
}
