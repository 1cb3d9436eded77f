import { expect, test } from "vitest";
import { AccessMessages } from "../../../../src/client/live/connection/polling.ts";
import type { LiveEvent, LiveMessage } from "../../../../src/shared/live.ts";

const said = (topic: LiveMessage["topic"], kind: "accessLost" | "accessRestored" | "checkpoint") =>
  ({ cursor: "e.1", topic, event: { kind } satisfies LiveEvent }) as const;

test("what is said in every piece is told once: that something may not be read, that it may again, that an address can be", () => {
  const standing = new AccessMessages();
  const at = said("", "checkpoint");
  const [gone, back, found] = [
    said("blog:a", "accessLost"),
    said("blog:a", "accessRestored"),
    said("address:b", "accessRestored"),
  ];
  expect(standing.onlyChanges([gone, at])).toEqual([gone, at]);
  expect(standing.onlyChanges([gone, found, at])).toEqual([found, at]);
  expect(standing.onlyChanges([found, at])).toEqual([back, at]);
  expect(standing.onlyChanges([at])).toEqual([at]);
  expect(standing.onlyChanges([gone, found, at])).toEqual([gone, found, at]);
});
