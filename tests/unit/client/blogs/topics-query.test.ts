import { expect, test } from "vitest";
import { topicsQuery } from "../../../../src/client/blogs/feed/topics-query.ts";
import { REFETCH } from "../../../../src/client/live/queries/live-query.ts";
import type { LiveEvent } from "../../../../src/shared/live.ts";
import { applyEvent } from "../../../support/live-queries.ts";

const current = { tags: ["owls"] };

const after = (event: LiveEvent) => applyEvent(topicsQuery, current, event);

test("refetches the topics in use when tags, people or recommended topics change, not when only words change", () => {
  const found = (tags: string[] | null): LiveEvent => ({ kind: "search.blogs", tags, jitterMs: 0 });
  expect(topicsQuery.topics(current, undefined)).toEqual(["search", "feed"]);
  expect(after(found(["owls"]))).toBe(REFETCH);
  expect(after(found(["snow"]))).toBe(REFETCH);
  expect(after(found(null))).toBe(REFETCH);
  expect(after(found([]))).toBe(current);
  expect(after({ kind: "person.gone", personId: "ana", jitterMs: 0 })).toBe(REFETCH);
  expect(after({ kind: "site.changed", jitterMs: 0 })).toBe(REFETCH);
});
