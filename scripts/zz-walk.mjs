import { chromium } from "@playwright/test";
import { execFileSync } from "node:child_process";
const exe = execFileSync("which", ["chromium-headless-shell"]).toString().trim();
const browser = await chromium.launch({ executablePath: exe });
const base = process.argv[2] ?? "http://localhost:3999";
const boss = await (await browser.newContext({ viewport: { width: 820, height: 900 } })).newPage();
let at = "";
boss.on("pageerror", (e) => console.log("PAGEERROR", at, e.message.slice(0, 100)));
await boss.goto(`${base}/signin`);
await boss.getByRole("textbox", { name: "Email" }).fill("malika@reprise.example");
await boss.locator("input[type=password]").fill("write inspire repeat");
await boss.keyboard.press("Enter");
await boss.waitForURL(/home|select/);
for (let i = 0; i < 3; i++)
  for (const path of [
    "/search?q=%E0%A4%A",
    "/home?page=99999999",
    "/home?page=9999",
    "/home",
    "/home?page=2",
    "/search?q=slugs&page=900",
    "/my-blogs?page=9",
    "/home?sort=following&page=77",
  ]) {
    at = path;
    await boss.goto(base + path);
    await boss.waitForTimeout(500);
  }
await browser.close();
