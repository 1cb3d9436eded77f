import { useEffect, useRef, useState } from "react";
import { Avatar } from "../../ui/avatar.tsx";
import { saidOf } from "./company-words.ts";
import { notWritten } from "./save-failure.ts";
import type { FormCompany } from "./use-company.ts";
import "./company.css";

type Others = FormCompany["others"];

/** Who else writes in the text just now, beside where its words are; nothing while there is nobody. */
export function WritingNow({ others }: { others: Others }) {
  if (others.length === 0) return null;
  return (
    <div className="company-now">
      <span id="writing-now">Writing now:</span>
      <ul aria-labelledby="writing-now">
        {byPerson(others).map(([{ place, person, name }, ...more]) => (
          <li key={person.id}>
            {[place, ...more.map((other) => other.place)].map((at) => (
              <span key={at} data-writer={at}>
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

/** Somebody with several pages stands there once, with the colours of all. */
function byPerson(others: Others): [Others[number], ...Others[number][]][] {
  const groups = new Map<string, [Others[number], ...Others[number][]]>();
  for (const one of others) {
    const group = groups.get(one.person.id);
    if (group) group.push(one);
    else groups.set(one.person.id, [one]);
  }
  return [...groups.values()];
}

/** Says once, when there is time, who has come and who has left. */
export function ComingAndGoing({ others, isReading }: { others: Others; isReading: boolean }) {
  const [said, setSaid] = useState("");
  const before = useRef({ others, isReading });
  useEffect(() => {
    const words = saidOf(before.current, { others, isReading });
    before.current = { others, isReading };
    if (words) setSaid(words);
  }, [others, isReading]);
  return (
    <p className="visually-hidden" role="status">
      {said}
    </p>
  );
}

/** Stands above the form while there is no room to write in it. */
export function ReadingAlong({ isSaved }: { isSaved: boolean }) {
  return (
    <div className="blog-form-notice" role="status">
      <p>
        {isSaved
          ? "Eight people are already writing here. You can read along, and write once one leaves."
          : notWritten.full}
      </p>
    </div>
  );
}
