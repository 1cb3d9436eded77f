import type { FastifyInstance } from "fastify";
import { exportFile } from "../../shared/exports.ts";
import { routes } from "../../shared/routes.ts";
import { contextOfRequest } from "../asking.ts";
import type { Parts } from "../context.ts";
import { readableBlog } from "../blogs/access.ts";
import { userById } from "../users/queries.ts";
import { folderOfExport, nameOfExport, notedExport } from "./folder.ts";
import { blogAs } from "./one-blog.ts";

const alone = {
  "cache-control": "private, no-store",
  "content-security-policy": "default-src 'none'; sandbox",
  "x-content-type-options": "nosniff",
};

/** The file of an export, for its owner alone; one blog as Markdown or a page, for whoever may read it. */
export async function exportRoutes(app: FastifyInstance, parts: Parts): Promise<void> {
  app.get(exportFile, async (request, reply) => {
    const { viewer } = await contextOfRequest(parts, request, reply);
    void reply.headers(alone);
    if (!viewer) return reply.redirect(routes.signIn("/settings/export"), 302);
    const [noted, user] = [
      await notedExport(parts.database.read, viewer.id),
      await userById(parts.database.read, viewer.id),
    ];
    if (noted?.state !== "ready" || !user) return reply.redirect("/settings/export", 302);
    const day = new Date(noted.madeAt ?? noted.askedAt).toISOString().slice(0, 10);
    return reply
      .header("content-disposition", `attachment; filename="${user.username}-${day}.zip"`)
      .sendFile(nameOfExport(noted), folderOfExport(parts, viewer.id), {
        cacheControl: false,
        lastModified: false,
      });
  });

  for (const kind of ["md", "html"] as const)
    app.get<{ Params: { slug: string } }>(`/blog/:slug.${kind}`, async (request, reply) => {
      const ctx = await contextOfRequest(parts, request, reply);
      await ctx.limits.take("read", ctx.address);
      void reply.headers(alone);
      const blog = await readableBlog(parts.database.read, ctx.viewer, { slug: request.params.slug });
      return reply
        .header("content-disposition", `attachment; filename="${blog.slug}.${kind}"`)
        .type(`text/${kind === "md" ? "markdown" : "html"}; charset=utf-8`)
        .send(await blogAs(ctx, blog, kind));
    });
}
