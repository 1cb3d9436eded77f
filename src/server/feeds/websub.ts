import { feedFiles } from "../../shared/feeds.ts";
import { readableFacts } from "../blogs/access.ts";
import type { Services } from "../context.ts";
import { isHubSet, storeHubSet, type HubWork } from "./websub-queries.ts";
import { NonRetryableError, type JobHandler } from "../jobs/jobs.ts";
import { userById } from "../profiles/queries.ts";
import { feedPath, type FeedRequest } from "./public.ts";

const timeoutMs = 10_000;

/** Stores whether there is a hub, so that commands queue notifications to it, too. */
export async function storeHubState({
  config,
  database,
}: Pick<Services, "config" | "database">): Promise<void> {
  const isSet = config.feedHub !== undefined;
  if ((await isHubSet(database.read)) !== isSet) await database.write((tx) => storeHubSet(tx, isSet));
}

/** Notifies the hub of changed feeds, which it fetches and distributes. */
export const notifyHub: JobHandler<HubWork> = {
  async run({ config, database }, work, { signal }) {
    if (config.feedHub === undefined) return;
    const feedRequests: FeedRequest[] = [];
    if ("tag" in work) feedRequests.push({ of: "tag", tag: work.tag });
    else if ("blogId" in work) {
      const blog = await readableFacts(database.read, null, { id: work.blogId });
      if (!blog || blog.liveSince === null) return;
      feedRequests.push({ of: "blog", slug: blog.slug });
    } else {
      const author = await userById(database.read, work.authorId);
      feedRequests.push(
        { of: "site" },
        ...(author ? [{ of: "person" as const, username: author.username }] : []),
      );
    }
    const feeds = feedRequests.flatMap((request) =>
      feedFiles.map((file) => config.publicUrl + feedPath(request, file)),
    );
    const body = new URLSearchParams([["hub.mode", "publish"], ...feeds.map((feed) => ["hub.url", feed])]);
    const { ok, status } = await fetch(config.feedHub, {
      method: "POST",
      body,
      redirect: "error",
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    if (ok) return;
    const message = `the hub answered ${status}`;
    throw status >= 400 && status < 500 && status !== 408 && status !== 429
      ? new NonRetryableError(message)
      : new Error(message);
  },
};
