import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Config } from "../config.ts";
import type { Context } from "../context.ts";
import type { Bus } from "../live/bus.ts";
import type { AppRouter } from "../router.ts";

// From lead to SHELL: a stand-in so that the server runs. Replace this file whole; keep the name of the export and the parts.
export interface PageParts {
  router: AppRouter;
  contextFor: (request: FastifyRequest, reply: FastifyReply) => Promise<Context>;
  bus: Bus;
  config: Config;
  dev: boolean;
  root: string;
}

export async function registerPages(server: FastifyInstance, parts: PageParts): Promise<void> {
  server.get("/*", async (_request, reply) => reply.type("text/html").send(`<title>${parts.config.siteName}</title>`));
}
