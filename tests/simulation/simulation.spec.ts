import { expect } from "@playwright/test";
import { slow } from "../support/until.ts";
import { test } from "./fixture.ts";
import { describeResult, runHistory } from "./run-history.ts";
import { liveBlog } from "./entry-generator.ts";
import { generatePlan, type Plan } from "./generator.ts";

/* Tests of the simulation itself: it finds stale pages, and reports none where there are none. */

// A busy machine takes many times as long to load so many pages.
test.describe.configure({ timeout: slow });

test("generates the same history from the same seed, and another from another", () => {
  expect(generatePlan(7)).toEqual(generatePlan(7));
  expect(generatePlan(7)).not.toEqual(generatePlan(8));
});

for (const seed of [1, 2])
  test(`finds no difference in pages reloaded after history ${seed}`, async ({ template, chromium }) => {
    const result = await runHistory(generatePlan(seed, { calm: true }), template, chromium, {
      reloadBeforeCompare: true,
    });
    expect(result.differences, describeResult(result)).toEqual([]);
  });

test("reports a page that receives no updates @more", async ({ template, chromium }) => {
  const plan: Plan = {
    seed: 0,
    opened: [
      { who: null, page: "blog", blog: 0 },
      { who: 1, page: "home" },
    ],
    followed: [],
    acts: [
      { kind: "offline", line: null },
      { kind: "title", by: 0, blog: 0, value: "Bats at noon", through: "client", apart: false },
    ],
  };
  const result = await runHistory(plan, template, chromium, {
    settleTimeout: 500,
    // It is online again, but its script has been stopped.
    beforeRecovery: ({ windows: [blog] }) =>
      blog!.control.send("Emulation.setScriptExecutionDisabled", { value: true }),
  });
  expect(result.differences, describeResult(result)).toContainEqual({
    page: "blog (blog 0) open by a guest",
    lines: expect.arrayContaining(["- title | Owls at night · Reprise", "+ title | Bats at noon · Reprise"]),
  });
});

test("reports a word of a draft that others get @more", async ({ template, chromium }) => {
  const act = { by: 0, through: "client", apart: false } as const;
  const plan: Plan = {
    seed: 0,
    opened: [{ who: 2, page: "blog", blog: 0 }],
    followed: [{ who: 1, blog: 6 }],
    acts: [
      { kind: "write", blog: 6, in: "text", value: "unseen1x", ...act },
      { kind: "comment", blog: 0, comment: 3, value: "unseen1x", ...act },
    ],
  };
  const result = await runHistory(plan, template, chromium);
  const pages = result.differences.map(({ page }) => page);
  const strangers = ["the stream of Cleo", "the stream of Dora", "the stream of a guest"];
  expect(pages, describeResult(result)).toEqual(expect.arrayContaining(strangers));
  // Nothing of its authors.
  expect(pages.filter((page) => !/ of (Cleo|Dora|a guest)$/.test(page))).toEqual([]);
});

test("reports a word of a withdrawn entry that others get @more", async ({ template, chromium }) => {
  const act = { by: liveBlog.by, through: "client", apart: false } as const;
  const place = { blog: liveBlog.blog, entry: 31 };
  const value = "unseen1x";
  const plan: Plan = {
    seed: 0,
    opened: [{ who: 2, page: "blog", blog: liveBlog.blog }],
    followed: [],
    acts: [
      { kind: "withdraw entry", ...place, on: true, ...act },
      { kind: "edit entry", ...place, value, isKey: true, minutesAgo: null, ...act },
      { kind: "comment", blog: 0, comment: 3, value, ...act },
    ],
  };
  const result = await runHistory(plan, template, chromium);
  const pages = result.differences.map(({ page }) => page);
  const strangers = ["the stream of Ana", "the stream of Dora", "the stream of a guest"];
  expect(pages, describeResult(result)).toEqual(expect.arrayContaining(strangers));
  // Nothing of its authors.
  expect(pages.filter((page) => !/ of (Ana|Dora|a guest)$/.test(page))).toEqual([]);
});
