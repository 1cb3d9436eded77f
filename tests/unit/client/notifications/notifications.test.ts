import { expect, test } from "vitest";
import { withOneRead } from "../../../../src/client/notifications/notifications.ts";
import {
  actorParts,
  actionText,
  notificationAddress,
  type NotificationGroup,
} from "../../../../src/shared/notifications.ts";

const person = (name: string) => ({ id: name, username: name.toLowerCase(), name, picture: null });

const aNotification = (change: Partial<NotificationGroup> = {}): NotificationGroup => ({
  id: "1",
  kind: "like",
  target: "b1",
  actors: [person("Ana")],
  actorsCount: 1,
  blog: { slug: "owls", title: "Owls" },
  commentId: null,
  excerpt: null,
  at: "2026-01-01T00:00:00Z",
  unread: true,
  ...change,
});

const sentenceOf = (notification: NotificationGroup) =>
  `${actorParts(notification)
    .map(({ name, text }) => name ?? text)
    .join("")} ${actionText(notification)}`;

test("names one or two actors, or one and the number of others", () => {
  expect(sentenceOf(aNotification())).toBe("Ana liked %");
  expect(sentenceOf(aNotification({ actors: [person("Ana"), person("Ben")], actorsCount: 2 }))).toBe(
    "Ana and Ben liked %",
  );
  expect(
    sentenceOf(aNotification({ actors: [person("Ana"), person("Ben"), person("Cleo")], actorsCount: 4 })),
  ).toBe("Ana and 3 others liked %");
  expect(
    sentenceOf(
      aNotification({ kind: "request", blog: null, actors: [person("Ana"), person("Ben")], actorsCount: 2 }),
    ),
  ).toBe("Ana and Ben want to follow you");
  expect(sentenceOf(aNotification({ kind: "comment-like", blog: null }))).toBe("Ana liked your comment");
});

test("counts actors who may not be named", () => {
  expect(sentenceOf(aNotification({ actors: [] }))).toBe("Someone liked %");
  expect(sentenceOf(aNotification({ actors: [], actorsCount: 1_200 }))).toBe("1,200 people liked %");
  expect(sentenceOf(aNotification({ actors: [person("Ana")], actorsCount: 2 }))).toBe(
    "Ana and someone else liked %",
  );
  expect(sentenceOf(aNotification({ actors: [person("Ana")], actorsCount: 3 }))).toBe(
    "Ana and 2 others liked %",
  );
});

test("links a notification to what it is about", () => {
  const me = { username: "me" };
  expect(notificationAddress(aNotification(), me)).toBe("/blog/owls");
  expect(notificationAddress(aNotification({ kind: "reply", commentId: "c1" }), me)).toBe(
    "/blog/owls#comment-c1",
  );
  expect(notificationAddress(aNotification({ kind: "request", blog: null }), me)).toBe("/requests");
  expect(notificationAddress(aNotification({ kind: "follow", blog: null }), me)).toBe("/ana");
  expect(notificationAddress(aNotification({ kind: "follow", blog: null, actorsCount: 2 }), me)).toBe(
    "/followers/me",
  );
  expect(notificationAddress(aNotification({ kind: "accepted", blog: null }), me)).toBe("/ana");
});

test("counts one down, once, when a notification is read", () => {
  const data = {
    notifications: [aNotification(), aNotification({ kind: "comment" })],
    unread: 2,
    unseen: 2,
    newest: null,
  };
  const updated = withOneRead(data, { kind: "like", target: "b1" });
  expect(updated.unread).toBe(1);
  expect(updated.notifications.map((notification) => notification.unread)).toEqual([false, true]);
  expect(withOneRead(updated, { kind: "like", target: "b1" })).toEqual(updated);
});
