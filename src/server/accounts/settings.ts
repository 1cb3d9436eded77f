import type { z } from "zod";
import { AppError } from "../../shared/errors.ts";
import type { SettingsUpdate, Viewer } from "../../shared/users.ts";
import type { MemberContext } from "../context.ts";
import { enqueue, type JobHandler } from "../jobs/jobs.ts";
import { runInSteps } from "../database/run-in-steps.ts";
import { feedTopic, profileTopic, userTopic } from "../live/stored-events.ts";
import { peopleTopic, rightsTopic, blocksTopic } from "../live/signals.ts";
import { presentViewer } from "../profiles/present.ts";
import { updateUser, userById } from "../profiles/queries.ts";
import { publishStaffWork } from "../moderation/staff-events.ts";
import { deleteReadingPosition } from "../blogs/reading-position-queries.ts";
import { acceptSome } from "../follows/service.ts";
import { acceptRequestsJob, syncBlogVisibility } from "./visibility-sync.ts";

/** Accepts the rest of many requests while the account stays public. */
export const resumeAcceptRequests: JobHandler<{ ownerId: string }> = {
  timeLimit: 30 * 60_000,
  run: (services, { ownerId }, { signal }) =>
    runInSteps(
      services.database,
      async (tx) => (await userById(tx, ownerId))?.private !== false || acceptSome(tx, ownerId),
      signal,
    ),
};

/** Settings that change no page of others. */
const privateSettings = new Set(["interests", "mutedWords", "showPresence"]);

/** Changes the given settings. Going public accepts all requests; going private keeps followers. */
export async function updateSettings(
  ctx: MemberContext,
  input: z.output<typeof SettingsUpdate>,
): Promise<Viewer> {
  const change = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  const current = await userById(ctx.database.read, ctx.viewer.id);
  if (input.private !== undefined && input.private !== current?.private)
    await ctx.limits.take("visibility", ctx.viewer.id);
  return ctx.database.write(async (tx) => {
    const before = await userById(tx, ctx.viewer.id);
    if (!before) throw new AppError("not_found", "This account no longer exists.");
    await updateUser(tx, ctx.viewer.id, change);
    tx.emit(userTopic(ctx.viewer.id), { kind: "viewer.profileChanged" });
    if (change.mutedWords !== undefined) {
      tx.emit(userTopic(ctx.viewer.id), { kind: "viewer.blocksChanged" });
      tx.signal(blocksTopic(ctx.viewer.id));
    }
    if (change.showPresence !== undefined) tx.signal(rightsTopic(ctx.viewer.id));
    if (change.showPresence === false) await deleteReadingPosition(tx, ctx.viewer.id);
    // Profiles depend on these settings.
    if (Object.keys(change).some((name) => !privateSettings.has(name))) {
      tx.emit(profileTopic(ctx.viewer.id), { kind: "profile.changed" });
      tx.signal(peopleTopic);
    }
    if (input.private !== undefined && input.private !== before.private) {
      tx.emit(feedTopic, { kind: "person.changed", personId: ctx.viewer.id });
      await syncBlogVisibility(tx, ctx.viewer.id, { toEverybody: true });
      await publishStaffWork(tx);
      if (!input.private && !(await acceptSome(tx, ctx.viewer.id)))
        await enqueue(tx, acceptRequestsJob, { ownerId: ctx.viewer.id });
    }
    return presentViewer({ ...before, ...change }, ctx.session?.handle ?? "");
  });
}
