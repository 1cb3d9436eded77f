import type { Person } from "../../../shared/users.ts";

/** Returns a person with the current name and picture, if it is the same person. */
export const patchPerson = <P extends Person>(person: P, now: Person): P =>
  person.id === now.id ? patch(person, now as Partial<P>) : person;

/** As `patchPerson`, for lists that also show the bio, or ask a private account first. */
export const patchListedPerson = <P extends Person & { bio?: string; private?: boolean }>(
  person: P,
  { person: now, bio = person.bio, private: isPrivate }: { person: Person; bio?: string; private?: boolean },
): P =>
  patchPerson(person, {
    ...now,
    ...(bio === undefined ? {} : { bio }),
    ...("private" in person && isPrivate !== undefined ? { private: isPrivate } : {}),
  });

/** Returns the object with the changed fields, or the same object where nothing differs. */
export function patch<T extends object>(before: T, change: Partial<T>): T {
  const keys = Object.keys(change) as (keyof T)[];
  return keys.every((key) => isSame(before[key], change[key])) ? before : { ...before, ...change };
}

/** Compares lists by their entries first, which are the same objects where nothing has changed. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object") return false;
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length)
    return one.every((entry, at) => entry === other[at]) || JSON.stringify(one) === JSON.stringify(other);
  return JSON.stringify(one) === JSON.stringify(other);
}
