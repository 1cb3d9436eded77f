import { hash } from "node:crypto";
import type { Database } from "../database/connection.ts";
import { siteSecret } from "../database/site-secret.ts";
import { closedMark, hiddenMark } from "./queries.ts";

/** Writes down ids of people in a blog as the one who asks may know them: those that are marked become pseudonyms. */
export type Telling = (blogId: string, people: string[]) => string[];

/**
 * A pseudonym is the same for a person in one blog and of no use elsewhere. It looks like any other id: it is a UUID of
 * version 8, which nobody has.
 */
export async function telling(database: Database): Promise<Telling> {
  const secret = await siteSecret(database.read, "pseudonyms");
  // Hashed twice, so that nothing can be added to what is known; createHmac takes many times as long for the same.
  const pseudonym = (blogId: string, id: string) =>
    asId(hash("sha256", `${secret}:${hash("sha256", `${secret}:${blogId}:${id}`)}`));
  return (blogId, people) =>
    people.map((id) =>
      id.startsWith(hiddenMark) || id.startsWith(closedMark) ? pseudonym(blogId, id.slice(1)) : id,
    );
}

const asId = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
