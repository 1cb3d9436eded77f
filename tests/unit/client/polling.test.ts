import { expect, test } from "vitest";
import { Standing } from "../../../src/client/live/polling.ts";
import type { LiveEvent, Told } from "../../../src/shared/live.ts";

const said = (topic: Told["topic"], kind: "gone" | "back" | "at") =>
  ({ cursor: "e.1", topic, event: { kind } satisfies LiveEvent }) as const;

test("what is said in every piece is told once: that something may not be read, that it may again, that an address can be", () => {
  const standing = new Standing();
  const at = said("", "at");
  const [gone, back, found] = [said("blog:a", "gone"), said("blog:a", "back"), said("address:b", "back")];
  expect(standing.follow([gone, at])).toEqual([gone, at]);
  expect(standing.follow([gone, found, at])).toEqual([found, at]);
  expect(standing.follow([found, at])).toEqual([back, at]);
  expect(standing.follow([at])).toEqual([at]);
  expect(standing.follow([gone, found, at])).toEqual([gone, found, at]);
});
