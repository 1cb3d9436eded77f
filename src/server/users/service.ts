import type { Profile, Viewer } from "../../shared/users.ts";
import type { Context } from "../context.ts";
import { followStatus, knownUser } from "./access.ts";
import { presentProfile, presentViewer } from "./present.ts";
import * as queries from "./queries.ts";

/** Who is signed in, or null. */
export async function whoAmI(ctx: Context): Promise<Viewer | null> {
  if (!ctx.viewer || !ctx.session) return null;
  const user = await queries.userById(ctx.database.read, ctx.viewer.id);
  return user ? presentViewer(user, ctx.session.handle) : null;
}

/** A profile's head as far as the viewer may know it. Throws `not_found`. */
export async function profile(ctx: Context, input: { username: string }): Promise<Profile> {
  const known = await knownUser(ctx.database.read, ctx.viewer, { username: input.username });
  return presentProfile(known, await followStatus(ctx.database.read, ctx.viewer?.id ?? null, known));
}
