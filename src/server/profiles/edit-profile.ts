import type { z } from "zod";
import { AppError } from "../../shared/errors.ts";
import type { ProfileUpdate, Viewer } from "../../shared/users.ts";
import type { MemberContext } from "../context.ts";
import { feedTopic, profileTopic, searchTopic, userTopic } from "../live/stored-events.ts";
import { peopleTopic } from "../live/signals.ts";
import { updateUnusedSince, pictureById } from "../media/queries.ts";
import { recipientsNaming } from "../notifications/recipient-queries.ts";
import { publishWithdrawn } from "../notifications/events.ts";
import { presentViewer } from "./present.ts";
import * as queries from "./queries.ts";
import { withSkeleton, changeUsername } from "./usernames.ts";

/** What people are found by. */
const searchedFields = ["name", "username", "bio"] as const;
/** What is shown next to a person's content. */
const displayedFields = ["name", "username", "pictureId"] as const;

/** Changes the given fields. Throws `conflict` if the username is taken or too similar to one. */
export async function updateProfile(
  ctx: MemberContext,
  input: z.output<typeof ProfileUpdate>,
): Promise<Viewer> {
  const { pictureId, username, ...fields } = input;
  const change = Object.fromEntries(
    Object.entries({ ...fields, pictureId }).filter(([, value]) => value !== undefined),
  );
  return ctx.database.write(async (tx) => {
    if (pictureId && (await pictureById(tx, pictureId))?.ownerId !== ctx.viewer.id) {
      throw new AppError("bad_request", "That picture is no longer available. Please choose it again.", {
        field: "pictureId",
      });
    }
    const user = await queries.userById(tx, ctx.viewer.id);
    if (!user) throw new AppError("not_found", "This account no longer exists.");
    const isNew = username !== undefined && username !== user.username;
    if (isNew) await changeUsername(tx, user, username, ctx.config.siteName);
    await queries.updateUser(tx, user.id, { ...change, ...(isNew ? withSkeleton(username) : {}) });
    await updateUnusedSince(tx, [user.pictureId, pictureId], Date.now());
    tx.emit(userTopic(user.id), { kind: "viewer.profileChanged" });
    const updated = { ...user, ...change, ...(isNew ? { username } : {}) };
    tx.emit(profileTopic(user.id), { kind: "profile.changed" });
    const differs = (name: keyof typeof user) => updated[name] !== user[name];
    if (searchedFields.some(differs)) tx.emit(searchTopic, { kind: "search.people" });
    if (displayedFields.some(differs) || differs("bio"))
      tx.emit(feedTopic, { kind: "person.changed", personId: user.id });
    // Notifications store no names: people who have one with this name refetch.
    if (displayedFields.some(differs)) publishWithdrawn(tx, await recipientsNaming(tx, user.id));
    tx.signal(peopleTopic);
    return presentViewer(updated, ctx.session?.handle ?? "");
  });
}
