import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import { exportPath } from "../../shared/exports.ts";
import { routes } from "../../shared/routes.ts";
import { contextOfRequest } from "../http/request-context.ts";
import { addressKey } from "../auth/rate-limits.ts";
import type { Services } from "../context.ts";
import { takeTurn } from "../runtime/concurrency.ts";
import { readableBlog } from "../blogs/access.ts";
import type { BlogFacts } from "../blogs/queries.ts";
import { userById } from "../profiles/queries.ts";
import { exportKey, exportRecord } from "./folder.ts";
import { renderBlogFile, type BlogFile } from "./one-blog.ts";

const privateHeaders = {
  "cache-control": "private, no-store",
  "content-security-policy": "default-src 'none'; sandbox",
  "x-content-type-options": "nosniff",
};

/** Serves an export to its owner, and blogs as files to anyone who may read them. */
export async function exportRoutes(app: FastifyInstance, services: Services): Promise<void> {
  app.get(exportPath, async (request, reply) => {
    const { viewer } = await contextOfRequest(services, request, reply);
    void reply.headers(privateHeaders);
    if (!viewer) return reply.redirect(routes.signIn("/settings/export"), 302);
    const [record, user] = [
      await exportRecord(services.database.read, viewer.id),
      await userById(services.database.read, viewer.id),
    ];
    if (record?.state !== "ready" || !user) return reply.redirect("/settings/export", 302);
    const day = new Date(record.madeAt ?? record.askedAt).toISOString().slice(0, 10);
    void reply.header("content-disposition", `attachment; filename="${user.username}-${day}.zip"`);
    return services.files.send(request, reply, exportKey(viewer.id, record), { lastModified: false });
  });

  for (const kind of ["md", "html"] as const)
    app.get<{ Params: { slug: string } }>(`/blog/:slug.${kind}`, async (request, reply) => {
      await takeTurn(addressKey(request.ip));
      const ctx = await contextOfRequest(services, request, reply);
      await ctx.limits.take("read", ctx.address);
      void reply.headers(privateHeaders);
      const blog = await readableBlog(services.database.read, ctx.viewer, { slug: request.params.slug });
      const { start, entries, end } = await renderBlogFile(ctx, blog, kind);
      const charge = (characters: number) => ctx.limits.takeForCost(ctx.address, { characters });
      charge(start.length + end.length);
      return reply
        .headers({
          "content-disposition": `attachment; filename="${blog.slug}.${kind}"`,
          // Search engines list the page instead.
          "x-robots-tag": "noindex",
          link: `<${canonicalUrlOf(services.config.publicUrl, blog)}>; rel="canonical"`,
        })
        .type(`text/${kind === "md" ? "markdown" : "html"}; charset=utf-8`)
        .send(entries ? Readable.from(inParts({ start, entries, end }, charge)) : start + end);
    });
}

/** Yields a live blog's file, whose entries can be many, and then charges for them. */
async function* inParts(
  { start, entries, end }: BlogFile & { entries: AsyncIterable<string> },
  charge: (characters: number) => void,
): AsyncGenerator<string> {
  let characters = 0;
  try {
    yield start;
    for await (const part of entries) {
      characters += part.length;
      yield part;
    }
    if (end) yield end;
  } finally {
    charge(characters);
  }
}

/** Returns the URL of the page, or where the blog was published first. */
const canonicalUrlOf = (publicUrl: string, { canonicalUrl, slug }: BlogFacts): string =>
  new URL(canonicalUrl || routes.blog(slug), publicUrl).href;
