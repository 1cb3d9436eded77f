import { useEffect, useRef, useState } from "react";
import type { CSSProperties } from "react";
import { Avatar } from "../../ui/avatar.tsx";
import type { FormCoWriters } from "./use-co-writers.ts";

type Others = FormCoWriters["others"];

export function DraftNow({ others }: { others: Others }) {
  if (others.length === 0) return null;
  return (
    <div className="company-now row wrap note">
      <span id="writing-now">Writing now:</span>
      <ul aria-labelledby="writing-now">
        {byPerson(others).map(([{ place, person, name }, ...more]) => (
          <li key={person.id}>
            {[place, ...more.map((other) => other.place)].map((at) => (
              <span key={at} data-writer="" style={{ "--place": at } as CSSProperties}>
                <Avatar person={person} size={20} />
              </span>
            ))}
            <bdi>{name}</bdi>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Groups pages by person: each person is shown once. */
function byPerson(others: Others): [Others[number], ...Others[number][]][] {
  const groups = new Map<string, [Others[number], ...Others[number][]]>();
  for (const one of others) {
    const group = groups.get(one.person.id);
    if (group) group.push(one);
    else groups.set(one.person.id, [one]);
  }
  return [...groups.values()];
}

/** Announces to screen readers who has come and who has left. */
export function CoWriterAnnouncements({ others, isReading }: { others: Others; isReading: boolean }) {
  const [announcement, setAnnouncement] = useState("");
  const before = useRef({ others, isReading });
  useEffect(() => {
    const text = announcementOf(before.current, { others, isReading });
    before.current = { others, isReading };
    if (text) setAnnouncement(text);
  }, [others, isReading]);
  return (
    <p className="visually-hidden" role="status">
      {announcement}
    </p>
  );
}

interface Company {
  others: readonly { client: string; name: string }[];
  isReading: boolean;
}

/** Returns who came and who left since `before`, or "". Several pages of a person count as one. */
export function announcementOf(before: Company, now: Company): string {
  const names = ({ others }: Company) => new Set(others.map(({ name }) => name));
  const [previous, current] = [names(before), names(now)];
  const joined = [...current].filter((name) => !previous.has(name));
  const left = [...previous].filter((name) => !current.has(name));
  return [
    before.isReading && !now.isReading && "You can write here now.",
    joined.length > 0 && `Also writing here: ${joined.join(", ")}.`,
    left.length > 0 && `No longer writing here: ${left.join(", ")}.`,
  ]
    .filter(Boolean)
    .join(" ");
}
