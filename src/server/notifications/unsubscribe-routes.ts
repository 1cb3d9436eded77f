import type { FastifyInstance, FastifyReply } from "fastify";
import { AppError, errorCodes } from "../../shared/errors.ts";
import { sentRoutes } from "../../shared/routes.ts";
import type { Services } from "../context.ts";
import { unsubscribe } from "./unsubscribe.ts";

/**
 * One-click unsubscribe of mail programs (RFC 8058): a POST without cookies from anywhere, authorized by the link's token. A
 * GET is a page that asks first (`unsubscribe-page.tsx`).
 */
export async function unsubscribeRoutes(app: FastifyInstance, services: Services): Promise<void> {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, body, done) => {
    body.resume();
    done(null);
  });
  // As text: the page's button works without JavaScript.
  app.setErrorHandler((error, request, reply) => {
    if (!(error instanceof AppError)) throw error;
    return sendText(reply.code(errorCodes[error.code].http), error.message);
  });
  app.post<{ Params: { token: string } }>(sentRoutes.unsubscribe(":token"), async (request, reply) => {
    await services.limits.take("write", request.ip);
    return sendText(
      reply,
      (await unsubscribe({ ...services, address: request.ip }, request.params.token)).message,
    );
  });
}

const sendText = (reply: FastifyReply, message: string) =>
  reply.header("cache-control", "no-store").type("text/plain; charset=utf-8").send(`${message}\n`);
