import { createTRPCReact, getQueryKey } from "@trpc/react-query";
import { expect, test } from "vitest";
import { trpc } from "../../../src/client/api/trpc.ts";
import type { AppRouter } from "../../../src/server/router.ts";

test("an answer has the place in the cache that tRPC's own wrapper would give it", () => {
  const whole = createTRPCReact<AppRouter>();
  const list = { page: 2, sort: "likes" } as const;
  expect(trpc.blogs.list.key(list)).toEqual(getQueryKey(whole.blogs.list, list, "query"));
  expect(trpc.blogs.bySlug.key({ slug: "a" })).toEqual(
    getQueryKey(whole.blogs.bySlug, { slug: "a" }, "query"),
  );
  expect(trpc.users.site.key()).toEqual(getQueryKey(whole.users.site, undefined, "query"));
});
