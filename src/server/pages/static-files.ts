import fastifyStatic from "@fastify/static";
import type { FastifyError, FastifyInstance } from "fastify";
import { documentHeaders } from "../http/security-headers.ts";
import { accentSheet } from "../../shared/accent.ts";

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

/** The site's mark, two dots and two bars. */
export const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><style>path,circle{fill:#c8401f}@media(prefers-color-scheme:dark){path,circle{fill:#ff7a52}}</style><circle cx="5.5" cy="9" r="2"/><circle cx="5.5" cy="15" r="2"/><path d="M11 3h1.6v18H11zM15.8 3H20v18h-4.2z"/></svg>`;
