import fastifyStatic from "@fastify/static";
import type { FastifyError, FastifyInstance } from "fastify";
import { documentHeaders } from "../http/security-headers.ts";

/** Never shown as documents, so without the headers for them. */
const partOfPage = /\.(?:js|css|woff2)(?:\.br|\.gz)?$/;
const compressedCopy = /\.(?:br|gz)$/;

/**
 * Serves files under `/assets/` from these folders, the first first, cached forever by their hashed names. Texts have compressed copies beside them
 * (scripts/precompress.ts).
 */
export async function serveAssets(server: FastifyInstance, folders: string[]): Promise<void> {
  await server.register(async (scope) => {
    // Folders, and paths outside of this one.
    scope.setErrorHandler((error: FastifyError, request, reply) =>
      error.statusCode === 403 ? reply.callNotFound() : server.errorHandler(error, request, reply),
    );
    await scope.register(fastifyStatic, {
      root: folders,
      prefix: "/assets/",
      decorateReply: false,
      preCompressed: true,
      index: false,
      acceptRanges: false,
      etag: false,
      lastModified: false,
      immutable: true,
      maxAge: "1y",
      allowedPath: (file) => !compressedCopy.test(file),
      setHeaders(reply, file) {
        if (partOfPage.test(file)) for (const header of documentHeaders) reply.removeHeader(header);
      },
    });
  });
}
