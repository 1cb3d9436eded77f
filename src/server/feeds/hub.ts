import { feedFiles } from "../../shared/feeds.ts";
import type { Parts } from "../context.ts";
import { hubAsked, setHubAsked, type HubWork } from "../blogs/hub-queries.ts";
import { Hopeless, type JobHandler } from "../jobs/jobs.ts";
import { userById } from "../users/queries.ts";
import { addressOf, type Wanted } from "./public.ts";

const patience = 10_000;

/** Has whoever publishes something, a command beside the server too, ask for the hub to be told: where one is set. */
export async function noteHub({ config, database }: Pick<Parts, "config" | "database">): Promise<void> {
  const isSet = config.feedHub !== undefined;
  if ((await hubAsked(database.read)) !== isSet) await database.write((tx) => setHubAsked(tx, isSet));
}

/** Tells the hub which feeds have something new: it fetches them, and sends them on to whoever waits for it. */
export const notifyHub: JobHandler<HubWork> = {
  async run({ config, database }, work, { signal }) {
    if (config.feedHub === undefined) return;
    const wanted: Wanted[] = [];
    if ("tag" in work) wanted.push({ of: "tag", tag: work.tag });
    else {
      const author = await userById(database.read, work.authorId);
      wanted.push({ of: "site" }, ...(author ? [{ of: "person" as const, username: author.username }] : []));
    }
    const feeds = wanted.flatMap((one) => feedFiles.map((file) => config.publicUrl + addressOf(one, file)));
    const body = new URLSearchParams([["hub.mode", "publish"], ...feeds.map((feed) => ["hub.url", feed])]);
    const { ok, status } = await fetch(config.feedHub, {
      method: "POST",
      body,
      redirect: "error",
      signal: AbortSignal.any([signal, AbortSignal.timeout(patience)]),
    });
    if (ok) return;
    const said = `the hub answered ${status}`;
    throw status >= 400 && status < 500 && status !== 408 && status !== 429
      ? new Hopeless(said)
      : new Error(said);
  },
};
