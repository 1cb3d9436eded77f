import { createContext, useMemo } from "react";
import type { CommentList } from "../../shared/comments.ts";
import { linkHref, type LinkRange } from "../../shared/link-ranges.ts";
import { findMentions, mentionsIn, maxNameLookups } from "../../shared/mentions.ts";
import type { NamedAccount } from "../../shared/mentions.ts";
import type { Person } from "../../shared/users.ts";
import { trpc } from "../api/trpc.ts";
import { patch } from "../live/queries/patch.ts";
import { liveQuery } from "../live/queries/live-query.ts";
import type { LiveQueries } from "../live/queries/live-query.ts";
import { registerLiveQueries } from "../live/live.ts";

/** Plain text, a link, or a mention. */
export interface TextSegment {
  text: string;
  href?: string;
  username?: string;
}

/** Mentioned usernames, each with the account's current one. */
export type Names = ReadonlyMap<string, string>;
export const NamesContext = createContext<Names>(new Map());

interface NamedPeople {
  people: NamedAccount[];
}

const renamed = (
  known: NamedPeople,
  { person: { id, username } }: { person: Pick<Person, "id" | "username"> },
): NamedPeople =>
  patch(known, { people: known.people.map((one) => (one.id === id ? { ...one, username } : one)) });

/** A renamed account keeps its links, one that is gone loses them. */
export const mentionQueries: LiveQueries = {
  "users.named": liveQuery<NamedPeople>({
    topics: ({ people }) => [people.length > 0 && "feed", "me"],
    on: {
      "person.changed": renamed,
      "viewer.profileChanged": renamed,
      "person.gone": (known, { personId }) =>
        patch(known, { people: known.people.filter(({ id }) => id !== personId) }),
    },
  }),
};
registerLiveQueries(mentionQueries);

/** Returns the mentioned people that the viewer can see, by one query for the list. */
export function useNames(list: CommentList | undefined): Names {
  const usernames = useMemo(() => mentionedIn(list), [list]);
  const { data } = trpc.users.named.useQuery(
    { usernames },
    // Known mentions stay links while the query loads with one more name.
    { enabled: usernames.length > 0, placeholderData: (known) => known },
  );
  return useMemo(() => new Map(data?.people.map(({ asked, username }) => [asked, username])), [data]);
}

/** Sorted, so that the same comments give the same query key. */
function mentionedIn(list: CommentList | undefined): string[] {
  const all = [...(list?.comments ?? []), ...(list?.pending ?? [])];
  // Imported guests mention people of another site.
  const texts = all.filter(({ author }) => author?.id).map(({ text }) => text);
  return [...new Set(texts.flatMap(mentionsIn))].slice(0, maxNameLookups).toSorted();
}

/** Splits a text at its links. */
export function withLinks(text: string, links: readonly LinkRange[] = []): TextSegment[] {
  const starts = [0, ...links.map(([, to]) => to)];
  return starts
    .flatMap((start, at): TextSegment[] => {
      const [from, to] = links[at] ?? [text.length, text.length];
      const address = text.slice(from, to);
      return [{ text: text.slice(start, from) }, { text: address, href: linkHref(address) }];
    })
    .filter((segment) => segment.text !== "");
}

/** Splits off the mentions of known people. */
export const withMentions = (segments: TextSegment[], names: Names): TextSegment[] =>
  names.size === 0
    ? segments
    : segments.flatMap((segment) => (segment.href ? [segment] : partsOf(segment.text, names)));

function partsOf(text: string, names: Names): TextSegment[] {
  const parts: TextSegment[] = [];
  let end = 0;
  for (const { username: typedName, from, to } of findMentions(text)) {
    const username = names.get(typedName);
    if (!username) continue;
    if (from > end) parts.push({ text: text.slice(end, from) });
    parts.push({ text: text.slice(from, to), username });
    end = to;
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts;
}
