import type { FastifyInstance } from "fastify";
import type { Services } from "../context.ts";
import { storedSettings } from "../site/queries.ts";

const day = 24 * 60 * 60 * 1000;
/** How long a copy is valid. */
const validity = 90 * day;

/** `/.well-known/security.txt` (RFC 9116), if administrators set a contact. */
export function securityContact(
  app: FastifyInstance,
  { config, database }: Pick<Services, "config" | "database">,
): void {
  const path = "/.well-known/security.txt";
  app.get(path, async (_request, reply) => {
    const { securityContact: contact, language = "en" } = await storedSettings(database.read);
    if (!contact) return reply.callNotFound();
    const expires = new Date(Math.floor(Date.now() / day) * day + validity);
    return reply
      .headers({ "content-type": "text/plain; charset=utf-8", "cache-control": "public, max-age=3600" })
      .send(
        [
          `Contact: ${contact.includes("://") ? contact : `mailto:${contact}`}`,
          `Expires: ${expires.toISOString()}`,
          `Preferred-Languages: ${[...new Set([language, "en"])].join(", ")}`,
          `Canonical: ${config.publicUrl}${path}`,
          "",
        ].join("\n"),
      );
  });
  app.get("/security.txt", (_request, reply) => reply.redirect(path, 301));
}
