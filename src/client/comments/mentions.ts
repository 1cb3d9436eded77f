import { createContext, useMemo } from "react";
import type { CommentList } from "../../shared/comments.ts";
import { findMentions, mentionsIn, mostNamed } from "../../shared/mentions.ts";
import type { Named } from "../../shared/mentions.ts";
import { trpc } from "../api/trpc.ts";
import { patch } from "../live/queries/patch.ts";
import { liveQuery } from "../live/queries/live-query.ts";
import type { LiveQueries } from "../live/queries/live-query.ts";
import { registerLiveQueries } from "../live/live.ts";
import type { Stretch } from "./linkify.ts";

/** Usernames as texts mention them, with those of whom they lead to. */
export type Names = ReadonlyMap<string, string>;
export const NamesContext = createContext<Names>(new Map());

interface NamedPeople {
  people: Named[];
}

/** Somebody who changes their username keeps the links to them, and who goes takes them along. */
export const keptNames: LiveQueries = {
  "users.named": liveQuery<NamedPeople>({
    topics: ({ people }) => [people.length > 0 && "feed", "me"],
    on: {
      "person.changed": (known, { person }) => withEach(known, (one) => renamed(one, person)),
      "viewer.profileChanged": (known, { person }) => withEach(known, (one) => renamed(one, person)),
      "person.gone": (known, { personId }) =>
        known.people.some(({ id }) => id === personId)
          ? { ...known, people: known.people.filter(({ id }) => id !== personId) }
          : known,
    },
  }),
};
registerLiveQueries(keptNames);

const renamed = (one: Named, { id, username }: { id: string; username: string }): Named =>
  one.id === id ? patch(one, { username }) : one;

function withEach(known: NamedPeople, change: (one: Named) => Named): NamedPeople {
  const people = known.people.map(change);
  return people.some((one, at) => one !== known.people[at]) ? { ...known, people } : known;
}

/** Whom the comments of a list mention, as far as they are there for who looks; they are asked for once for all of it. */
export function useNames(list: CommentList | undefined): Names {
  const usernames = useMemo(() => mentionedIn(list), [list]);
  const { data } = trpc.users.named.useQuery(
    { usernames },
    // With one name more those that are known stay links.
    { enabled: usernames.length > 0, placeholderData: (known) => known },
  );
  return useMemo(() => new Map(data?.people.map(({ asked, username }) => [asked, username])), [data]);
}

/** Each once, in the order of the alphabet: the same comments ask the same. */
function mentionedIn(list: CommentList | undefined): string[] {
  const all = [...(list?.comments ?? []), ...(list?.pending ?? [])];
  // Guests of whom an import brought the name meant people of elsewhere.
  const texts = all.filter(({ author }) => author?.id).map(({ text }) => text);
  return [...new Set(texts.flatMap(mentionsIn))].slice(0, mostNamed).toSorted();
}

/** The stretches of a text with those apart that mention somebody who is there. */
export const withMentions = (stretches: Stretch[], names: Names): Stretch[] =>
  names.size === 0
    ? stretches
    : stretches.flatMap((stretch) => (stretch.href ? [stretch] : partsOf(stretch.text, names)));

function partsOf(text: string, names: Names): Stretch[] {
  const parts: Stretch[] = [];
  let end = 0;
  for (const { username: asked, from, to } of findMentions(text)) {
    const username = names.get(asked);
    if (!username) continue;
    if (from > end) parts.push({ text: text.slice(end, from) });
    parts.push({ text: text.slice(from, to), username });
    end = to;
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts;
}
