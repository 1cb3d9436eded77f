import { audienceOf } from "../../shared/audience.ts";
import type { Transaction } from "../database/writer.ts";
import { enqueue, type JobHandler } from "../jobs/jobs.ts";
import { firstIndexedPart } from "../database/words.ts";
import { blogFactsById } from "../blogs/queries.ts";
import { publishToSearch } from "../blogs/events.ts";

export const indexJob = "index-blog";

/** Returns the part of a text to index within the save; queues a job for the rest. */
export async function indexFirstPart(tx: Transaction, blogId: string, text: string): Promise<string> {
  const first = firstIndexedPart(text);
  if (first.length < text.length) await enqueue(tx, indexJob, { blogId });
  return first;
}

export const indexWhole: JobHandler<{ blogId: string }> = {
  run: async ({ workers, config, database }, { blogId }) => {
    await workers.run("index", { file: config.databaseFile, blogId });
    await database.write(async (tx) => {
      const blog = await blogFactsById(tx, blogId, null);
      if (blog) await publishToSearch(tx, blog.authorId, audienceOf(blog), [], blog.id);
    });
  },
};
