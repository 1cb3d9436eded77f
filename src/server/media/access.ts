import type { RequestViewer } from "../context.ts";
import type { Connection } from "../database/connection.ts";
import { isPublicPicture, isPictureVisibleTo } from "./queries.ts";

/**
 * The only check of who can see a picture: `everyone` when something public shows it; `viewer` when it is their own, or shown
 * by something they can read; null: it looks absent.
 */
export async function pictureAccess(
  connection: Connection,
  viewer: RequestViewer | null,
  id: string,
): Promise<"everyone" | "viewer" | null> {
  if (await isPublicPicture(connection, id)) return "everyone";
  return viewer && (await isPictureVisibleTo(connection, id, viewer.id)) ? "viewer" : null;
}
