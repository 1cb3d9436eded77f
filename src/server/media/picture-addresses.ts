import type { Context } from "../context.ts";
import { pictureIdOf } from "./paths.ts";
import { publicPictures } from "./queries.ts";

/** Returns a path of the site as an address for other clients; other addresses stay. */
export const absolute = ({ config }: Pick<Context, "config">, path: string | null): string | null =>
  path === null ? null : path.startsWith("/") ? config.publicUrl + path : path;

/**
 * Returns the URLs of blogs' pictures. Non-public ones are signed, since other clients have no cookie; the caller has checked
 * the viewer's access.
 */
export async function pictureAddresses(
  ctx: Pick<Context, "config" | "database" | "signedAddresses">,
  paths: (string | null | undefined)[],
): Promise<(path: string | null | undefined) => string | null> {
  const ids = paths.flatMap((path) => (path && pictureIdOf(path)) || []);
  const open = await publicPictures(ctx.database.read, ids);
  const signatures = new Map<string, string>();
  for (const id of ids) if (!open.has(id)) signatures.set(id, await ctx.signedAddresses.query(id));
  return (path) => (path ? `${absolute(ctx, path)}${signatures.get(pictureIdOf(path) ?? "") ?? ""}` : null);
}
