import type { FastifyInstance, FastifyReply } from "fastify";
import { AppError, errorCodes } from "../../shared/errors.ts";
import { sentRoutes } from "../../shared/routes.ts";
import type { Parts } from "../context.ts";
import { unsubscribe } from "./unsubscribe.ts";

/**
 * What mail programs send where somebody presses their button (RFC 8058): a POST from anywhere, without cookies. The link itself says
 * whose mails end; who asks, and what the body says, is not looked at. A GET is a page that asks first (`unsubscribe-page.tsx`).
 */
export async function unsubscribeRoutes(app: FastifyInstance, parts: Parts): Promise<void> {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, body, done) => {
    body.resume();
    done(null);
  });
  // In words, as to whoever pressed the button of a page without a script.
  app.setErrorHandler((error, request, reply) => {
    if (!(error instanceof AppError)) throw error;
    return said(reply.code(errorCodes[error.code].http), error.message);
  });
  app.post<{ Params: { token: string } }>(sentRoutes.unsubscribe(":token"), async (request, reply) => {
    await parts.limits.take("write", request.ip);
    return said(reply, (await unsubscribe({ ...parts, address: request.ip }, request.params.token)).message);
  });
}

const said = (reply: FastifyReply, message: string) =>
  reply.header("cache-control", "no-store").type("text/plain; charset=utf-8").send(`${message}\n`);
