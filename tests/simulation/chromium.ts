import { chromium, type Browser } from "@playwright/test";
import { launchOptions } from "../../scripts/browser.ts";

/** Starts Chromium with its back-forward cache, which Playwright turns off. */
export const launch = (): Promise<Browser> =>
  chromium.launch({ ...launchOptions(), ignoreDefaultArgs: ["--disable-back-forward-cache"] });
