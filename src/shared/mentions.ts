import { z } from "zod";
import { limits } from "./limits.ts";

const maxMentions = 10;
const mention = new RegExp(
  `(?<![\\w@./-])@([a-z0-9][a-z0-9._-]{${limits.username.min - 1},${limits.username.max - 1}})(?![a-z0-9_])`,
  "gi",
);

/** A mention: the username in lower case, and its range including the `@`. */
export interface Mention {
  username: string;
  from: number;
  to: number;
}

/** Returns the mentions (`@ana`) in order. A dot or hyphen at the end is not part of a username. */
export function findMentions(text: string): Mention[] {
  return [...text.matchAll(mention)].flatMap(({ index, 1: name = "" }) => {
    const username = name.toLowerCase().replace(/[._-]+$/, "");
    const to = index + 1 + username.length;
    return username.length >= limits.username.min ? [{ username, from: index, to }] : [];
  });
}

/** Returns the mentioned usernames, each once, at most ten. */
export function mentionsIn(text: string): string[] {
  return [...new Set(findMentions(text).map(({ username }) => username))].slice(0, maxMentions);
}

/** Usernames in one lookup. */
export const maxNameLookups = 100;

/** The account of a username: as requested, and the current one. */
export interface NamedAccount {
  asked: string;
  id: string;
  username: string;
}

export const LookUpNames = z.strictObject({
  usernames: z
    .array(z.string().min(1).max(limits.username.max))
    .max(maxNameLookups, "Those are too many names."),
});
