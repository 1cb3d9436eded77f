import { chromium, type Browser } from "@playwright/test";
import { launchOptions } from "../../scripts/browser.ts";

/** The browser that the tests drive, with the memory for going back that Playwright takes from it. */
export const launch = (): Promise<Browser> =>
  chromium.launch({ ...launchOptions(), ignoreDefaultArgs: ["--disable-back-forward-cache"] });
