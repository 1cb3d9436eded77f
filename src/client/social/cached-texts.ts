import type { QueryClient } from "@tanstack/react-query";
import type { SeenComment } from "../../shared/comments.ts";
import type { Person } from "../../shared/users.ts";
import { changeAll, changeBlogs, isPeople } from "./cached.ts";

/** Changes comments wherever the cache holds them. */
export function changeCachedComments(
  queryClient: QueryClient,
  change: (comment: SeenComment) => SeenComment,
): void {
  changeAll(queryClient, "comments", (data) =>
    isComments(data) ? { ...data, comments: data.comments.map(change) } : data,
  );
}

/** Somebody's name and picture, on what they wrote and in lists of people. */
export function changeCachedPerson(queryClient: QueryClient, { id, username, name, picture }: Person): void {
  const now = <P extends Person | null>(person: P): P =>
    person?.id === id ? { ...person, username, name, picture } : person;
  const signed = <T extends { author: Person | null }>(text: T): T =>
    text.author?.id === id ? { ...text, author: now(text.author) } : text;
  changeBlogs(queryClient, signed);
  changeCachedComments(queryClient, signed);
  changeAll(queryClient, "social", (data) =>
    isPeople(data) ? { ...data, people: data.people.map(now) } : data,
  );
}

const isComments = (data: object): data is { comments: SeenComment[] } =>
  "comments" in data && Array.isArray(data.comments);
