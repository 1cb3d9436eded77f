import type { FastifyInstance } from "fastify";
import { accentSheet } from "../../shared/accent.ts";
import { documentHeaders } from "../http/security-headers.ts";

/** Serves administrators' style sheets as files, as the CSP requires, named by their contents. */
export function serveSiteSheets(
  server: FastifyInstance,
  sheetNamed: (hash: string) => Promise<string | null>,
): void {
  server.get<{ Params: { name: string } }>("/static/:name", async (request, reply) => {
    const [, kind, name = ""] = /^(accent|sheet)-([0-9a-f]+)\.css$/.exec(request.params.name) ?? [];
    const sheet =
      kind === "accent" && name.length === 6
        ? accentSheet(`#${name}`)
        : kind === "sheet"
          ? await sheetNamed(name)
          : null;
    if (sheet === null) return reply.callNotFound();
    for (const header of documentHeaders) reply.removeHeader(header);
    return reply
      .headers({
        "content-type": "text/css; charset=utf-8",
        "cache-control": "public, max-age=31536000, immutable",
      })
      .send(sheet);
  });
}
