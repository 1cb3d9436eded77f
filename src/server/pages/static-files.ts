import fastifyStatic from "@fastify/static";
import type { FastifyError, FastifyInstance } from "fastify";
import path from "node:path";
import { ofDocuments } from "../security-headers.ts";

/** Files that no browser shows as a document, so headers for documents are left out. */
const partOfPage = /\.(?:js|css|woff2)(?:\.br|\.gz)?$/;
const compressedCopy = /\.(?:br|gz)$/;

/**
 * Serves the files of the build under `/assets/`. Their names change with their content, so browsers keep them for good. The
 * build has put a compressed copy beside each text (scripts/light.ts).
 */
export async function serveAssets(server: FastifyInstance, root: string): Promise<void> {
  await server.register(async (scope) => {
    // Folders, and paths that lead out of this one.
    scope.setErrorHandler((error: FastifyError, request, reply) =>
      error.statusCode === 403 ? reply.callNotFound() : server.errorHandler(error, request, reply),
    );
    await scope.register(fastifyStatic, {
      root: path.join(root, "dist/client/assets"),
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
        if (partOfPage.test(file)) for (const header of ofDocuments) reply.removeHeader(header);
      },
    });
  });
}
