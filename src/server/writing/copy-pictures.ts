import { readDocument } from "../../shared/document/read.ts";
import { AppError } from "../../shared/errors.ts";
import { actingAs } from "../accounts/acting-as.ts";
import type { Services } from "../context.ts";
import { enqueueOnce, type JobHandler } from "../jobs/jobs.ts";
import { asBadRequest } from "./compose.ts";
import { importSomeRemotePictures, linksNotice } from "./pictures.ts";
import { blogFactsById } from "../blogs/queries.ts";
import { copyIntervalMs, copyJob, documentOf } from "./commits.ts";
import { commitMerged } from "./draft-merge.ts";
import { notifyWriters } from "./live.ts";
import { draftOf } from "./queries.ts";

/**
 * Copies pictures of other sites that were pasted into a text, while it is written; those that cannot be copied become links.
 * Repeats until all are tried, so that a text can have more than one run copies.
 */
export const copyPictures: JobHandler<{ blogId: string }> = {
  // Slow sites in one text do not delay the others.
  concurrency: 4,
  run: async (services, { blogId }) => {
    try {
      const { links, left } = await copySome(services, blogId);
      if (links > 0) await notifyWriters(services, blogId, linksNotice(links).trim());
      if (left > 0)
        await services.database.write((tx) => enqueueOnce(tx, copyJob, { blogId }, copyIntervalMs));
    } catch (error) {
      if (!(error instanceof AppError) || error.code === "unavailable") throw error;
      // No room for more pictures, for example: saving the text says so, too.
      await notifyWriters(services, blogId, error.message);
    }
  },
};

async function copySome(services: Services, blogId: string): Promise<{ links: number; left: number }> {
  const { read } = services.database;
  const [blog, row] = [await blogFactsById(read, blogId, null), await draftOf(read, blogId)];
  if (!blog || !row) return { links: 0, left: 0 };
  const ctx = actingAs(services, blog.authorId);
  const before = await documentOf(services, read, row);
  const document = JSON.stringify(before.toJSON());
  const { pictures } = await ctx.workers.run("pictures", { document }, blog.authorId);
  const counts = await importSomeRemotePictures(ctx, { type: "doc", content: pictures });
  const replacing = ctx.workers.run("withPictures", { document, pictures }, blog.authorId);
  const after = readDocument(JSON.parse((await asBadRequest("document", replacing)).document));
  await services.database.write(async (tx) => {
    const current = await draftOf(tx, blogId);
    if (current) await commitMerged({ ...services, viewer: null }, tx, current, before, after);
  });
  return counts;
}
