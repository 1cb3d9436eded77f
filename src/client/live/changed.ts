import type { Person } from "../../shared/users.ts";

/** A person's name and picture as they are now, where it is that person. */
export const keptPerson = <P extends Person>(person: P, now: Person): P =>
  person.id === now.id ? changed(person, now as Partial<P>) : person;

/** The same in lists that show what people say of themselves. */
export const keptListed = <P extends Person & { bio?: string }>(
  person: P,
  { person: now, bio }: { person: Person; bio?: string },
): P => keptPerson(person, bio === undefined ? now : ({ ...now, bio } as Person));

/** The same object where nothing differs. */
export function changed<T extends object>(before: T, change: Partial<T>): T {
  const keys = Object.keys(change) as (keyof T)[];
  return keys.every((key) => same(before[key], change[key])) ? before : { ...before, ...change };
}

const same = (one: unknown, other: unknown): boolean =>
  one === other ||
  (typeof one === "object" && typeof other === "object" && JSON.stringify(one) === JSON.stringify(other));
