import { test as base, type Browser } from "@playwright/test";
import { launch } from "./chromium.ts";
import { makeTemplate, type Template } from "./world.ts";

/** One template database and one browser per worker. */
export const test = base.extend<object, { template: Template; chromium: Browser }>({
  template: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright wants a pattern
    async ({}, provide) => {
      await using template = await makeTemplate();
      await provide(template);
    },
    { scope: "worker" },
  ],
  chromium: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright wants a pattern
    async ({}, provide) => {
      await using chromium = await launch();
      await provide(chromium);
    },
    { scope: "worker" },
  ],
});
