import { expect, test } from "vitest";
import { oneRead } from "../../../../src/client/notifications/notifications.ts";
import { actorParts, deedOf, notificationAddress } from "../../../../src/shared/notification-text.ts";
import type { NotificationGroup } from "../../../../src/shared/social.ts";

const person = (name: string) => ({ id: name, username: name.toLowerCase(), name, picture: null });

const aNotice = (change: Partial<NotificationGroup> = {}): NotificationGroup => ({
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

const said = (notification: NotificationGroup) =>
  `${actorParts(notification)
    .map(({ name, text }) => name ?? text)
    .join("")} ${deedOf(notification)}`;

test("an entry names one, two, or one and how many others", () => {
  expect(said(aNotice())).toBe("Ana liked %");
  expect(said(aNotice({ actors: [person("Ana"), person("Ben")], actorsCount: 2 }))).toBe(
    "Ana and Ben liked %",
  );
  expect(said(aNotice({ actors: [person("Ana"), person("Ben"), person("Cleo")], actorsCount: 4 }))).toBe(
    "Ana and 3 others liked %",
  );
  expect(
    said(aNotice({ kind: "request", blog: null, actors: [person("Ana"), person("Ben")], actorsCount: 2 })),
  ).toBe("Ana and Ben want to follow you");
  expect(said(aNotice({ kind: "comment-like", blog: null }))).toBe("Ana liked your comment");
});

test("who is not to be named is counted", () => {
  expect(said(aNotice({ actors: [] }))).toBe("Someone liked %");
  expect(said(aNotice({ actors: [], actorsCount: 1_200 }))).toBe("1,200 people liked %");
  expect(said(aNotice({ actors: [person("Ana")], actorsCount: 2 }))).toBe("Ana and someone else liked %");
  expect(said(aNotice({ actors: [person("Ana")], actorsCount: 3 }))).toBe("Ana and 2 others liked %");
});

test("an entry leads to the very thing it tells of", () => {
  const me = { username: "me" };
  expect(notificationAddress(aNotice(), me)).toBe("/blog/owls");
  expect(notificationAddress(aNotice({ kind: "reply", commentId: "c1" }), me)).toBe("/blog/owls#comment-c1");
  expect(notificationAddress(aNotice({ kind: "request", blog: null }), me)).toBe("/requests");
  expect(notificationAddress(aNotice({ kind: "follow", blog: null }), me)).toBe("/ana");
  expect(notificationAddress(aNotice({ kind: "follow", blog: null, actorsCount: 2 }), me)).toBe(
    "/followers/me",
  );
  expect(notificationAddress(aNotice({ kind: "accepted", blog: null }), me)).toBe("/ana");
});

test("reading one entry counts one down, once", () => {
  const known = {
    notifications: [aNotice(), aNotice({ kind: "comment" })],
    unread: 2,
    unseen: 2,
    newest: null,
  };
  const once = oneRead(known, { kind: "like", target: "b1" });
  expect(once.unread).toBe(1);
  expect(once.notifications.map((one) => one.unread)).toEqual([false, true]);
  expect(oneRead(once, { kind: "like", target: "b1" })).toEqual(once);
});
