import { useEffect, useState } from "react";
import type { Person } from "../../shared/users.ts";
import { trpc } from "../api/trpc.ts";

/** The pause in typing before people are searched, in milliseconds. */
const searchDelayMs = 250;

interface Found {
  query: string;
  people: readonly Person[];
}

/** Returns the people found last for what is being typed, at least two characters; none on failure. */
export function useFoundPeople(query: string): Found {
  const { client } = trpc.useUtils();
  const [found, setFound] = useState<Found>({ query: "", people: [] });
  useEffect(() => {
    if (query.length < 2) return;
    let isOver = false;
    const timer = setTimeout(() => {
      client.users.search.query({ query }).then(
        ({ people }) => void (isOver || setFound({ query, people })),
        () => undefined,
      );
    }, searchDelayMs);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [client, query]);
  return found;
}
