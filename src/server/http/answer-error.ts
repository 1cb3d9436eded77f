import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { asUnavailable } from "../database/errors.ts";
import { AppError, errorCodes, messages } from "../../shared/errors.ts";

/**
 * Answers errors outside of procedures in REST's form: planned ones with their message, the framework's in the site's words;
 * bugs are logged. Pages also need tRPC's form, or take it for a lost connection.
 */
export function answerError(
  this: FastifyInstance,
  thrown: FastifyError | AppError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const error = asUnavailable(thrown) ?? thrown;
  if (error instanceof AppError) {
    if (error.retryAfter) void reply.header("retry-after", error.retryAfter);
    const { field, message } = error;
    return sendError(request, reply, errorCodes[error.code].http, { message, ...(field ? { field } : {}) });
  }
  const status = error.statusCode ?? 500;
  if (status >= 500) {
    request.log.error({ err: error }, "a request failed");
    return sendError(request, reply, status === 503 ? 503 : 500, { message: messages.wrong });
  }
  return sendError(request, reply, status, { message: framework[error.code] ?? error.message });
}

const trpcCodes = new Map<number, string>(Object.values(errorCodes).map(({ http, trpc }) => [http, trpc]));

function sendError(
  { url }: FastifyRequest,
  reply: FastifyReply,
  status: number,
  body: { message: string; field?: string },
): FastifyReply {
  const { message, field } = body;
  const code = trpcCodes.get(status) ?? (status < 500 ? "BAD_REQUEST" : "INTERNAL_SERVER_ERROR");
  const call = url.startsWith("/trpc/") && {
    error: { message, code: -32_600, data: { code, httpStatus: status, ...(field ? { field } : {}) } },
  };
  return reply.code(status).send({ success: false, ...body, ...call });
}

const framework: Record<string, string> = {
  FST_ERR_CTP_BODY_TOO_LARGE: "This is too large.",
  FST_REQ_FILE_TOO_LARGE: "A picture can have up to 8 MB.",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "This content type isn’t supported.",
  FST_ERR_CTP_INVALID_JSON_BODY: "The body is not valid JSON.",
  FST_ERR_CTP_EMPTY_JSON_BODY: "The body is empty.",
  FST_ERR_BAD_URL: "This address can’t be read.",
  FST_ERR_MAX_PARAM_LENGTH: "This address is too long.",
};
