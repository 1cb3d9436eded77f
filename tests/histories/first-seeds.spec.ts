import { expect } from "@playwright/test";
import { slow } from "../support/until.ts";
import { test } from "./fixture.ts";
import { inWords, live } from "./history.ts";
import { planOf } from "./plan.ts";

/* An open page is never stale: `npm run soak` asks the same of as many histories as one has time for, and with less patience. */

/** Waited only where a page differs: on a busy machine all of them take longer to follow. */
const patience = 60_000;

// A busy machine takes many times as long for so many pages.
test.describe.configure({ mode: "parallel", timeout: slow });

for (let seed = 1; seed <= 14; seed++)
  test(`after history ${seed} every open page reads as a fresh one does`, async ({ template, chromium }) => {
    const told = await live(planOf(seed), template, chromium, { patience });
    expect(told.different, inWords(told)).toEqual([]);
  });
