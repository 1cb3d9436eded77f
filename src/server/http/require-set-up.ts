import type { FastifyInstance } from "fastify";
import { AppError } from "../../shared/errors.ts";
import { answerCors } from "./cors.ts";

const notSetUp =
  "This site isn’t set up yet. The person who runs it finds the set-up link in the server’s terminal.";

/** The page that sets the site up and what it loads, live connections, and what monitors ask for. */
const open =
  /^\/(?:setup|healthz|readyz|metrics|service-worker\.js|manifest\.webmanifest|favicon\.\w+|robots\.txt)$|^\/(?:assets|static|src|node_modules|@[\w-]+)(?:\/|$)/;
const openCalls = /^(?:users\.(?:site|me|setUpState|setUp)|live\.\w+)$/;

/**
 * While the site is not set up, leads every page to the one that says so, and answers all else with 503. That can be again after
 * the last account is deleted.
 */
export function requireSetUp(server: FastifyInstance, needsSetUp: () => Promise<boolean>): void {
  server.addHook("onRequest", async (request, reply) => {
    const [path = ""] = request.url.split("?");
    const calls = /^\/trpc\/(.+)/.exec(path)?.[1];
    const isOpen = calls ? calls.split(",").every((call) => openCalls.test(call)) : open.test(path);
    if (isOpen || request.ws || !(await needsSetUp()) || answerCors(request, reply)) return;
    const isPage = /^(?:GET|HEAD)$/.test(request.method) && !/^\/(?:api|trpc)(?:\/|$)|\.\w+$/.test(path);
    if (!isPage) throw new AppError("unavailable", notSetUp);
    return reply.header("cache-control", "no-store").redirect("/setup", 302);
  });
}
