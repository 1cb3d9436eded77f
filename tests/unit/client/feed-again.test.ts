import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { feedNow, readFeedsAgain } from "../../../src/client/blogs/feed-again.ts";
import type { FeedPage } from "../../../src/client/blogs/feed-data.ts";
import type { BlogCard } from "../../../src/shared/blogs.ts";

const cards = (ids: string) => [...ids].map((id) => ({ id }) as BlogCard);
const aPage = (ids: string, fresh = ""): FeedPage => ({
  blogs: cards(ids),
  page: 1,
  hasMore: true,
  cursor: "e.1",
  fresh: [...fresh],
});
const after = (page: FeedPage, now: string, gone = "") => {
  const { blogs, fresh } = feedNow(page, { blogs: cards(now), hasMore: true }, new Set(gone));
  return [blogs.map(({ id }) => id).join(""), fresh?.join("")];
};

test("what may not be read any more leaves, and what follows comes after the rest", () => {
  expect(after(aPage("abc"), "acd", "b")).toEqual(["acd", ""]);
  expect(after(aPage("abc", "xy"), "xab", "cy")).toEqual(["ab", "x"]);
});

test("what may be read now waits to be asked for, wherever among the others it stands", () => {
  expect(after(aPage("abc"), "axb")).toEqual(["abc", "x"]);
  expect(after(aPage("abc", "z"), "xyz")).toEqual(["abc", "zxy"]);
});

test("nothing changes where nothing has changed, and an empty page shows what there is", () => {
  expect(after(aPage("abc", "x"), "xab")).toEqual(["abc", "x"]);
  expect(after(aPage("a", "b"), "bc", "a")).toEqual(["bc", ""]);
});

test("a feed that is shown is compared with the server's, and any other is asked for when it is next shown", async () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  const keyOf = (page: number, sort: string) => [["blogs", "list"], { input: { page, sort }, type: "query" }];
  const first = keyOf(1, "latest");
  const again: unknown[] = [];
  client.setQueryData(keyOf(2, "latest"), aPage("def"));
  for (const queryKey of [first, keyOf(1, "likes")]) {
    client.setQueryData(queryKey, aPage("abc"));
    const queryFn = () => (again.push(queryKey), aPage("abc"));
    new QueryObserver(client, { queryKey, queryFn }).subscribe(() => {});
  }
  const refused = Object.assign(new Error("gone"), { data: { code: "NOT_FOUND" } });
  const blogs = {
    list: { query: () => Promise.resolve(aPage("xab")) },
    card: { query: () => Promise.reject(refused) },
  };
  await readFeedsAgain(client, blogs);
  expect(client.getQueryData(first)).toMatchObject({ blogs: cards("ab"), fresh: ["x"] });
  expect(again).toEqual([keyOf(1, "likes")]);
  expect(client.getQueryState(keyOf(2, "latest"))?.isInvalidated).toBe(true);
});
