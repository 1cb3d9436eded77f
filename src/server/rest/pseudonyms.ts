import { hash } from "node:crypto";
import type { Database } from "../database/connection.ts";
import { siteSecret } from "../database/site-secret.ts";
import { hiddenMark } from "./queries.ts";

/** Replaces the ids of people hidden from the viewer, which have a mark, by pseudonyms. */
type Pseudonymize = (blogId: string, people: string[]) => string[];

/** A pseudonym is the same for a person within one blog, and useless elsewhere: a UUID of version 8, which no person has. */
export async function createPseudonymizer(database: Database): Promise<Pseudonymize> {
  const secret = await siteSecret(database.read, "pseudonyms");
  // Twice against length extension; createHmac is many times slower.
  const pseudonym = (blogId: string, id: string) =>
    asId(hash("sha256", `${secret}:${hash("sha256", `${secret}:${blogId}:${id}`)}`));
  return (blogId, people) =>
    people.map((id) => (id.startsWith(hiddenMark) ? pseudonym(blogId, id.slice(hiddenMark.length)) : id));
}

const asId = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
