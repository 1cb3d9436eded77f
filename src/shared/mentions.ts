import { z } from "zod";
import { limits } from "./limits.ts";

const most = 10;
const mention = new RegExp(
  `(?<![\\w@./-])@([a-z0-9][a-z0-9._-]{${limits.username.min - 1},${limits.username.max - 1}})(?![a-z0-9_])`,
  "gi",
);

/** Where a text mentions somebody: the username in lower case, and the stretch that it takes with its sign. */
export interface Mention {
  username: string;
  from: number;
  to: number;
}

/** What a text mentions (`@ana`), in its order; a dot or hyphen that ends a sentence is not part of a username. */
export function findMentions(text: string): Mention[] {
  return [...text.matchAll(mention)].flatMap(({ index, 1: name = "" }) => {
    const username = name.toLowerCase().replace(/[._-]+$/, "");
    const to = index + 1 + username.length;
    return username.length >= limits.username.min ? [{ username, from: index, to }] : [];
  });
}

/** The usernames a text mentions, each once, at most ten. */
export function mentionsIn(text: string): string[] {
  return [...new Set(findMentions(text).map(({ username }) => username))].slice(0, most);
}

/** As many usernames are looked up at once. */
export const mostNamed = 100;

/** Somebody whom a username leads to: as it was asked for, and as it is by now. */
export interface Named {
  asked: string;
  id: string;
  username: string;
}

export const LookUpNames = z.strictObject({
  usernames: z.array(z.string().min(1).max(limits.username.max)).max(mostNamed, "Those are too many names."),
});
