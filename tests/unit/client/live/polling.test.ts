import { expect, test } from "vitest";
import { AccessMessages } from "../../../../src/client/live/connection/polling.ts";
import type { LiveEvent, LiveMessage } from "../../../../src/shared/live.ts";

const accessMessage = (topic: LiveMessage["topic"], kind: "accessLost" | "accessRestored" | "checkpoint") =>
  ({ cursor: "e.1", topic, event: { kind } satisfies LiveEvent }) as const;

test("reports lost access, restored access and a found address once, although each response repeats them", () => {
  const standing = new AccessMessages();
  const at = accessMessage("", "checkpoint");
  const [gone, back, found] = [
    accessMessage("blog:a", "accessLost"),
    accessMessage("blog:a", "accessRestored"),
    accessMessage("address:b", "accessRestored"),
  ];
  expect(standing.onlyChanges([gone, at])).toEqual([gone, at]);
  expect(standing.onlyChanges([gone, found, at])).toEqual([found, at]);
  expect(standing.onlyChanges([found, at])).toEqual([back, at]);
  expect(standing.onlyChanges([at])).toEqual([at]);
  expect(standing.onlyChanges([gone, found, at])).toEqual([gone, found, at]);
});
