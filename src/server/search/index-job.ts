import { audienceOf } from "../../shared/audience.ts";
import type { Transaction } from "../database/writer.ts";
import { enqueue, type JobHandler } from "../jobs/jobs.ts";
import { firstIndexedPart } from "../database/search/words.ts";
import { blogFactsById } from "../blogs/queries.ts";
import { publishToSearch } from "../blogs/events.ts";
import { documentOf, storeText } from "../blogs/text-queries.ts";
import { isPostgres } from "../database/schema/store.ts";

export const indexJob = "index-blog";

/** Returns the part of a text to index within the save; queues a job for the rest. */
export async function indexFirstPart(tx: Transaction, blogId: string, text: string): Promise<string> {
  const first = firstIndexedPart(text);
  if (first.length < text.length) await enqueue(tx, indexJob, { blogId });
  return first;
}

/** Indexes a whole text, which can take SQLite seconds: in a thread. PostgreSQL takes them itself, as the text is stored. */
export const indexWhole: JobHandler<{ blogId: string }> = {
  run: async ({ workers, config, database }, { blogId }) => {
    const stored = isPostgres ? await documentOf(database.read, blogId) : undefined;
    const text = stored && (await workers.run("text", { document: stored.document }));
    if (!isPostgres) await workers.run("index", { file: config.databaseFile, blogId });
    await database.write(async (tx) => {
      // A later save has requested this, too.
      if (stored && text !== undefined) await storeText(tx, blogId, stored.etag, text);
      const blog = await blogFactsById(tx, blogId, null);
      if (blog) await publishToSearch(tx, blog.authorId, audienceOf(blog), [], blog.id);
    });
  },
};
