import { expect, test } from "vitest";
import { withOneRead } from "../../../../src/client/notifications/notifications.ts";
import {
  actorParts,
  actionText,
  notificationAddress,
  type NotificationGroup,
} from "../../../../src/shared/notifications.ts";

const person = (name: string) => ({ id: name, username: name.toLowerCase(), name, picture: null });
type Named = ReturnType<typeof person>;

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

const [ana, ben, cleo] = ["Ana", "Ben", "Cleo"].map(person) as [Named, Named, Named];

test.each<[string, Partial<NotificationGroup>]>([
  ["Ana liked %", {}],
  ["Ana and Ben liked %", { actors: [ana, ben], actorsCount: 2 }],
  ["Ana and 3 others liked %", { actors: [ana, ben, cleo], actorsCount: 4 }],
  ["Ana and Ben want to follow you", { kind: "request", blog: null, actors: [ana, ben], actorsCount: 2 }],
  ["Ana liked your comment", { kind: "comment-like", blog: null }],
  // Some may not be named.
  ["Someone liked %", { actors: [] }],
  ["1,200 people liked %", { actors: [], actorsCount: 1_200 }],
  ["Ana and someone else liked %", { actors: [ana], actorsCount: 2 }],
  ["Ana and 2 others liked %", { actors: [ana], actorsCount: 3 }],
])(
  "names one or two actors, and counts those who are too many or may not be named: %s",
  (sentence, change) => {
    expect(sentenceOf(aNotification(change))).toBe(sentence);
  },
);

test.each<[string, Partial<NotificationGroup>]>([
  ["/blog/owls", {}],
  ["/blog/owls#comment-c1", { kind: "reply", commentId: "c1" }],
  ["/requests", { kind: "request", blog: null }],
  ["/ana", { kind: "follow", blog: null }],
  ["/followers/me", { kind: "follow", blog: null, actorsCount: 2 }],
  ["/ana", { kind: "accepted", blog: null }],
])("links a notification to what it is about: %s", (address, change) => {
  expect(notificationAddress(aNotification(change), { username: "me" })).toBe(address);
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
