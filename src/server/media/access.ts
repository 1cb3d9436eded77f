import type { Asker } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { isOpenPicture, isPictureFor } from "./queries.ts";

/**
 * Whose a picture is to see, the only door to one: `everybody`'s where something public shows it; the `viewer`'s where it
 * is their own, or what shows it is for them to read; else nobody's, and then it looks absent.
 */
export async function sightOf(
  connection: Connection,
  viewer: Asker | null,
  id: string,
): Promise<"everybody" | "viewer" | null> {
  if (await isOpenPicture(connection, id)) return "everybody";
  return viewer && (await isPictureFor(connection, id, viewer.id)) ? "viewer" : null;
}
