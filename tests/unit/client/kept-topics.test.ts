import { expect, test } from "vitest";
import { keptTopics } from "../../../src/client/blogs/feed/kept-topics.ts";
import { ask } from "../../../src/client/live/kept.ts";
import type { LiveEvent } from "../../../src/shared/live.ts";

const shown = { tags: ["owls"] };

function after(event: LiveEvent): unknown {
  const change = keptTopics.on[event.kind] as ((data: unknown, event: LiveEvent) => unknown) | undefined;
  return change ? change(shown, event) : shown;
}

test("topics in use are asked for where something with tags came or went, or somebody did, and not for words alone", () => {
  const found = (tags: string[] | null): LiveEvent => ({ kind: "search.blogs", tags, jitterMs: 0 });
  expect(keptTopics.topics(shown, undefined)).toEqual(["search", "feed"]);
  expect(after(found(["owls"]))).toBe(ask);
  expect(after(found(["snow"]))).toBe(ask);
  expect(after(found(null))).toBe(ask);
  expect(after(found([]))).toBe(shown);
  expect(after({ kind: "person.gone", personId: "ana", jitterMs: 0 })).toBe(ask);
});
