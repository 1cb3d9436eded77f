import { withoutHash } from "../../../shared/tags.ts";
import { notificationTopics, emailFrequencies } from "../../../shared/notifications.ts";
import { existingValues, insertMissingRows } from "../../database/insert-missing-rows.ts";
import { media } from "../../database/schema/media.ts";
import { notificationSettings } from "../../database/schema/notifications.ts";
import { reservedUsernames, users } from "../../database/schema/profiles.ts";
import { signupRequests } from "../../database/schema/signup.ts";
import type { Transaction } from "../../database/writer.ts";
import { updateUser } from "../../profiles/queries.ts";
import { withSkeleton } from "../../profiles/usernames.ts";
import { isRow, list } from "../reading/values.ts";
import type { RestoreStep } from "./steps.ts";
import { idOf, isTrue, oneOf, pictureOf, text, textOrNull, texts, time, wordOf, type Row } from "./values.ts";

/** Accounts without their pictures, which are restored later. */
export const accounts: RestoreStep = {
  file: "accounts.json",
  put: async (tx, rows) => {
    const stored = await insertMissingRows(tx, users, rows.map(accountOf));
    const existingIds = await existingValues(
      tx,
      users.id,
      rows.map(({ id }) => text(id)),
    );
    for (const row of rows.filter(({ id }) => existingIds.has(text(id)))) await insertRelatedRows(tx, row);
    return stored;
  },
};

function accountOf(row: Row): typeof users.$inferInsert {
  const settings = isRow(row.settings) ? row.settings : {};
  const hash = text(row.passwordHash);
  return {
    id: text(row.id),
    ...withSkeleton(text(row.username)),
    email: text(row.email),
    name: text(row.name),
    bio: text(row.bio),
    passwordHash: hash.startsWith("$argon2id$") ? hash : null,
    googleId: textOrNull(row.googleId),
    interests: [...new Set(texts(row.interests).map(withoutHash))],
    mutedWords: texts(row.mutedWords),
    private: isTrue(settings.private),
    showLikedBlogs: isTrue(settings.showLikedBlogs),
    showSavedBlogs: isTrue(settings.showSavedBlogs),
    showFollowers: isTrue(settings.showFollowers),
    showPresence: isTrue(settings.showPresence),
    zone: textOrNull(settings.zone),
    isAdmin: isTrue(row.isAdmin),
    isModerator: isTrue(row.isModerator),
    canPublish: isTrue(row.writer),
    textsSeenAt: time(row.textsSeenAt),
    suspendedAt: time(row.suspendedAt),
    suspensionReason: textOrNull(row.suspendedFor),
    limitedAt: time(row.limitedAt ?? row.silencedAt),
    limitReason: textOrNull(row.limitReason ?? row.silencedFor),
    signedInAt: time(row.signedInAt),
    verifiedAt: time(row.verifiedAt),
    createdAt: time(row.createdAt) ?? 0,
  };
}

/** Stores former usernames, notification settings and signup requests. */
async function insertRelatedRows(tx: Transaction, row: Row): Promise<void> {
  const userId = text(row.id);
  const until = list(row.formerUntil);
  await insertMissingRows(
    tx,
    reservedUsernames,
    texts(row.formerUsernames).map((username, index) => ({
      username,
      userId,
      until: time(until[index]) ?? 0,
    })),
  );
  const settings = isRow(row.settings) ? list(row.settings.notices).filter(isRow) : [];
  await insertMissingRows(
    tx,
    notificationSettings,
    settings
      .filter(({ topic }) => wordOf(notificationTopics, topic) !== undefined)
      .map(({ topic, page, push, mail }) => ({
        userId,
        topic: oneOf(notificationTopics, topic),
        page: isTrue(page),
        push: isTrue(push),
        mail: oneOf(emailFrequencies, mail),
      })),
  );
  if (isRow(row.waits))
    await insertMissingRows(tx, signupRequests, [
      { userId, answer: text(row.waits.answer), requestedAt: time(row.waits.since) ?? 0 },
    ]);
}

/** Runs after both accounts and pictures. */
export const accountPictures: RestoreStep = {
  file: "accounts.json",
  put: async (tx, rows) => {
    const existingIds = await existingValues(
      tx,
      media.id,
      rows.map(({ picture }) => pictureOf(picture)),
    );
    for (const row of rows) {
      const pictureId = pictureOf(row.picture);
      if (pictureId !== null && existingIds.has(pictureId))
        await updateUser(tx, idOf(row) ?? "", { pictureId });
    }
    return 0;
  },
};
