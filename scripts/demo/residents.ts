import type { MemberContext } from "../../src/server/context.ts";

/** Contexts to act with, by username. */
export type Residents = Map<string, MemberContext>;

export function resident(residents: Residents, username: string): MemberContext {
  const ctx = residents.get(username);
  if (!ctx) throw new Error(`Nobody in the demo site is called ${username}.`);
  return ctx;
}
