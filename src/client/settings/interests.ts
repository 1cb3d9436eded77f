import { messages } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { withoutHash } from "../../shared/tags.ts";

/** Normalizes an interest: trimmed, white space folded, lower case (docs/specification.md, 5.14). */
export const asInterest = (text: string): string =>
  withoutHash(text.normalize("NFC").replace(/\s+/gu, " ").trim()).toLowerCase();

/** Returns why a text cannot be an interest, or null. `editing` is the one that it would replace. */
export function interestProblem(interests: readonly string[], text: string, editing?: string): string | null {
  const interest = asInterest(text);
  if (interest === "") return messages.interestEmpty;
  if ([...interest].length > limits.interests.length)
    return `An interest is too long: at most ${limits.interests.length} characters.`;
  if (editing === undefined) {
    if (interests.includes(interest)) return "Interest already added";
    return interests.length >= limits.interests.max ? `At most ${limits.interests.max} interests.` : null;
  }
  return interest !== editing && interests.includes(interest) ? "Interest already exists" : null;
}

const without = (interests: readonly string[], interest: string): string[] =>
  interests.filter((other) => other !== interest);

export const addInterest = (interests: readonly string[], interest: string): string[] => [
  ...without(interests, interest),
  interest,
];
export const removeInterest = without;

/** Replaces an interest in its place. */
export function editInterest(interests: readonly string[], from: string, to: string): string[] {
  return interests.includes(from)
    ? without(interests, from === to ? "" : to).map((interest) => (interest === from ? to : interest))
    : addInterest(interests, to);
}
