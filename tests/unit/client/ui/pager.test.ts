import { expect, test } from "vitest";
import { pageText } from "../../../../src/client/ui/pager.tsx";

test.each([
  [{ page: 2, hasMore: true }, "Page 2"],
  [{ page: 2, hasMore: true, pages: { count: 24 } }, "Page 2 of 24"],
  [{ page: 24, hasMore: false, pages: { count: 24 } }, "Page 24 of 24"],
  // The count is older than the list.
  [{ page: 24, hasMore: true, pages: { count: 24 } }, "Page 24 of 25"],
  [{ page: 23, hasMore: false, pages: { count: 24 } }, "Page 23 of 23"],
  [{ page: 30, hasMore: false, pages: { count: 24 } }, "Page 30"],
  [{ page: 2, hasMore: true, pages: { count: 250, more: true as const } }, "Page 2 of more than 250"],
  [{ page: 250, hasMore: true, pages: { count: 250, more: true as const } }, "Page 250"],
  [{ page: 251, hasMore: true, pages: { count: 250, more: true as const } }, "Page 251"],
])("describes %o as %s", (page, expected) => {
  expect(pageText(page)).toBe(expected);
});
