import path from "node:path";
import { writeFile } from "node:fs/promises";
import { paint } from "../support/pictures.ts";
import { buildZip } from "../support/zip.ts";
import { expect, allowErrors, test } from "./test-site.ts";

const post = (title: string, more = "", body = "Words.") =>
  `---\ntitle: ${title}\ndate: 2020-01-02\n${more}---\n${body}\n`;

test("imports a ZIP, reports in every tab what was imported, and undoes it", async ({ site, open }) => {
  const ana = await site.createAccount("Ana Torres");
  const file = path.join(site.dataDir, "site.zip");
  await writeFile(
    file,
    buildZip([
      { name: "site/posts/a.md", bytes: post("Bread", "", "![A loaf](../loaf.png) and [soup](b.md)") },
      { name: "site/posts/b.md", bytes: post("Soup") },
      { name: "site/posts/c.md", bytes: post("Idea", "draft: true\n") },
      { name: "site/posts/broken.md", bytes: "---\ntitle: [a\n---\nText.\n" },
      { name: "site/README.md", bytes: "# About\n" },
      { name: "site/../../outside.md", bytes: post("Outside") },
      { name: "site/loaf.png", bytes: await paint(40, 30, "png") },
    ]),
  );
  const page = await open(ana);
  await page.goto("/settings");
  await page.getByRole("main").getByRole("region", { name: "Import" }).getByRole("link").click();
  await expect(page.getByRole("heading", { name: "Bring in your blogs" })).toBeVisible();
  await expect(page.getByText("You haven’t imported anything yet.")).toBeVisible();
  const otherPage = await open(ana);
  await otherPage.goto("/settings/import");

  await page.getByRole("button", { name: "Start Import" }).click();
  await expect(page.getByRole("alert")).toHaveText("Please choose a file.");
  allowErrors(page);
  await page
    .getByLabel("File", { exact: true })
    .setInputFiles({ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("Hm.") });
  await page.getByRole("button", { name: "Start Import" }).click();
  await expect(page.getByRole("alert")).toContainText("no Markdown files");
  await page.getByLabel("File", { exact: true }).setInputFiles(file);
  await page.getByRole("button", { name: "Start Import" }).click();

  for (const tab of [page, otherPage]) {
    const run = tab.getByRole("listitem").filter({ hasText: "site.zip" }).first();
    await expect(run.getByText("Done · 3 blogs here")).toBeVisible();
    await expect(run.getByText("Imported 3 blogs with 1 picture.")).toBeVisible();
    await expect(run.getByText("draft: true")).toBeVisible();
    await expect(run.getByText("Its path contains")).toBeVisible();
  }
  await page.reload();
  await expect(page.getByText("Imported 3 blogs with 1 picture.")).toBeVisible();
  await otherPage.getByRole("button", { name: "Undo the import of site.zip" }).click();
  await otherPage.getByRole("alertdialog").getByRole("button", { name: "Undo Import" }).click();
  await expect(page.getByText("Undone")).toBeVisible();
  await expect(otherPage.getByRole("button", { name: "Undo the import of site.zip" })).toHaveCount(0);
  await page.goto("/my-blogs");
  await expect(page.getByText("Soup")).toHaveCount(0);
});
