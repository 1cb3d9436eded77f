import { expect, test } from "vitest";
import { AccessMessages } from "../../../../src/client/live/connection/polling.ts";
import type { LiveMessage } from "../../../../src/shared/live.ts";

const accessMessage = (topic: LiveMessage["topic"], kind: "accessLost" | "accessRestored" | "checkpoint") =>
  ({ cursor: "e.1", topic, event: kind === "checkpoint" ? { kind, now: 0 } : { kind } }) as const;

test("reports lost access, restored access and a found address once, although each response repeats them", () => {
  const accessMessages = new AccessMessages();
  const at = accessMessage("", "checkpoint");
  const [lost, restored, found] = [
    accessMessage("blog:a", "accessLost"),
    accessMessage("blog:a", "accessRestored"),
    accessMessage("address:b", "accessRestored"),
  ];
  expect(accessMessages.onlyChanges([lost, at])).toEqual([lost, at]);
  expect(accessMessages.onlyChanges([lost, found, at])).toEqual([found, at]);
  expect(accessMessages.onlyChanges([found, at])).toEqual([restored, at]);
  expect(accessMessages.onlyChanges([at])).toEqual([at]);
  expect(accessMessages.onlyChanges([lost, found, at])).toEqual([lost, found, at]);
});
