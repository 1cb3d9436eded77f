import type { NamedAccount } from "../../shared/mentions.ts";
import type { Person, Profile, Viewer } from "../../shared/users.ts";
import type { Context } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { followStatus, visibleUser } from "./access.ts";
import { presentPerson, presentProfile, presentViewer } from "./present.ts";
import * as queries from "./queries.ts";
import { peopleByUsernames } from "./username-queries.ts";

export async function whoAmI(ctx: Context): Promise<Viewer | null> {
  if (!ctx.viewer || !ctx.session) return null;
  const user = await queries.userById(ctx.database.read, ctx.viewer.id);
  return user ? presentViewer(user, ctx.session.handle) : null;
}

/** Returns a profile's head as the viewer sees it. Throws `not_found`. */
export async function profile(ctx: Context, input: { username: string }): Promise<Profile> {
  const account = await visibleUser(ctx.database.read, ctx.viewer, { username: input.username });
  return presentProfile(account, await followStatus(ctx.database.read, ctx.viewer?.id ?? null, account));
}

/** Returns the visible people that mentions lead to. */
export async function lookUpNames(
  ctx: Context,
  { usernames }: { usernames: string[] },
): Promise<{ people: NamedAccount[] }> {
  const names = [...new Set(usernames.map((username) => username.toLowerCase()))];
  return { people: await peopleByUsernames(ctx.database.read, names, ctx.viewer?.id ?? null) };
}

/** Returns a person without checking visibility. */
export async function personById(connection: Connection, id: string): Promise<Person | undefined> {
  const user = await queries.userById(connection, id);
  return user && presentPerson(user);
}
