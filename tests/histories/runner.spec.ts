import { expect } from "@playwright/test";
import { slow } from "../support/until.ts";
import { test } from "./fixture.ts";
import { inWords, live } from "./history.ts";
import { planOf, type Plan } from "./plan.ts";

/* That the histories' runner itself can be believed: it sees what is stale, and nothing where nothing is. */

// A busy machine takes many times as long for so many pages.
test.describe.configure({ timeout: slow });

test("the same seed gives the same history, another seed another", () => {
  expect(planOf(7)).toEqual(planOf(7));
  expect(planOf(7)).not.toEqual(planOf(8));
});

for (const seed of [1, 2])
  test(`pages that are loaded anew after history ${seed} read as fresh ones do`, async ({
    template,
    chromium,
  }) => {
    const told = await live(planOf(seed, { calm: true }), template, chromium, { reloads: true });
    expect(told.different, inWords(told)).toEqual([]);
  });

test("a page to which nothing gets through is caught @more", async ({ template, chromium }) => {
  const plan: Plan = {
    seed: 0,
    opened: [
      { who: null, page: "blog", blog: 0 },
      { who: 1, page: "home" },
    ],
    acts: [
      { kind: "offline", line: null },
      { kind: "title", by: 0, blog: 0, value: "Bats at noon", through: "client", apart: false },
    ],
  };
  const told = await live(plan, template, chromium, {
    patience: 500,
    // It comes back and would hear of it, but its script has been stopped.
    atEnd: ({ windows: [blog] }) =>
      blog!.control.send("Emulation.setScriptExecutionDisabled", { value: true }),
  });
  expect(told.different, inWords(told)).toContainEqual({
    page: "blog (blog 0) open by a guest",
    lines: expect.arrayContaining(["- title | Owls at night · Reprise", "+ title | Bats at noon · Reprise"]),
  });
});
