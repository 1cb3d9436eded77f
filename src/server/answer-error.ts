import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { asTrouble } from "./database/errors.ts";
import { AppError, errorCodes, messages } from "../shared/errors.ts";

/** Errors outside tRPC, as REST says them: planned ones with their message, the framework's own in our words, bugs logged. */
export function answerError(
  this: FastifyInstance,
  thrown: FastifyError | AppError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const error = asTrouble(thrown) ?? thrown;
  if (error instanceof AppError) {
    if (error.retryAfter) void reply.header("retry-after", error.retryAfter);
    return reply
      .code(errorCodes[error.code].http)
      .send({ success: false, message: error.message, ...(error.field ? { field: error.field } : {}) });
  }
  const status = error.statusCode ?? 500;
  if (status >= 500) {
    request.log.error({ err: error }, "a request failed");
    return reply.code(status === 503 ? 503 : 500).send({ success: false, message: messages.wrong });
  }
  return reply.code(status).send({ success: false, message: framework[error.code] ?? error.message });
}

const framework: Record<string, string> = {
  FST_ERR_CTP_BODY_TOO_LARGE: "That is too large to be taken.",
  FST_REQ_FILE_TOO_LARGE: "A picture has at most 8 MB.",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "This kind of content is not taken here.",
  FST_ERR_CTP_INVALID_JSON_BODY: "The body is not valid JSON.",
  FST_ERR_CTP_EMPTY_JSON_BODY: "The body is empty.",
  FST_ERR_BAD_URL: "This address cannot be read.",
  FST_ERR_MAX_PARAM_LENGTH: "This address is too long.",
};
