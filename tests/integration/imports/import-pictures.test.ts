import { existsSync } from "node:fs";
import { cp, truncate } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { limits } from "../../../src/shared/limits.ts";
import { reprise } from "../../support/command.ts";
import { costlyPictures } from "../../support/hostile-pictures.ts";
import { createFolder } from "../../support/import-folder.ts";
import { noise, paint } from "../../support/pictures.ts";

/* The import commands end with their summary whatever pictures a source has. */

const realBlog = path.resolve(import.meta.dirname, "../../../../shared/data/rust-blog");
const post = (title: string, pictures: string[]) =>
  `---\ntitle: ${title}\ndate: 2020-02-03\n---\n${pictures.map((name) => `![${name}](${name})`).join("\n\n")}\n`;

/** Creates a data folder beside a source, in which Ana has an account. */
async function siteFor(source: { folder: string }): Promise<string> {
  const dataDir = path.join(source.folder, "data");
  const result = await reprise(dataDir, ["user", "add", "ana", "--email", "ana@example.org"]);
  expect([result.code, result.error]).toEqual([0, ""]);
  return dataDir;
}

test("an import with invalid pictures continues to its end and names each with the reason", async () => {
  await using source = await createFolder({
    "posts/good.md": post("Good", ["good.png"]),
    "posts/good.png": await paint(),
    "posts/damaged.md": post("Damaged", ["damaged.png", "good.png"]),
    "posts/damaged.png": (await noise(64, 48)).subarray(0, 5_000),
    "posts/missing.md": post("Missing", ["missing.png"]),
    "posts/heavy.md": post("Heavy", ["heavy.png"]),
    "posts/heavy.png": "",
    "posts/wide.md": post("Wide", ["wide.png"]),
    "posts/wide.png": await costlyPictures["a PNG of 400 megapixels"]!(),
    "posts/words.md": post("Words", ["words.png"]),
    "posts/words.png": "These are words.",
  });
  await truncate(path.join(source.folder, "posts/heavy.png"), 2 * limits.image.bytes);
  const dataDir = await siteFor(source);
  const args = ["import", "markdown", path.join(source.folder, "posts"), "--author", "ana"];
  const { code, output, error } = await reprise(dataDir, args);
  expect([code, error]).toEqual([0, ""]);
  const [first] = output.split("\n");
  expect(first).toBe("Imported 6 blogs with 2 pictures, as ana, from 6 posts.");
  const problems = output.split("\n").filter((line) => line.includes("couldn’t be imported"));
  expect(problems.map((line) => line.trim())).toEqual([
    "damaged.md: The picture damaged.png couldn’t be imported: That picture is damaged. Please try another one.",
    "heavy.md: The picture heavy.png couldn’t be imported: too large: 16.0 MB (at most 8.0 MB).",
    "missing.md: The picture missing.png couldn’t be imported: file not found.",
    "wide.md: The picture wide.png couldn’t be imported: A picture can have up to 40 megapixels, with all its frames.",
    "words.md: The picture words.png couldn’t be imported: We can’t read that picture. Please use PNG or JPEG.",
  ]);
});

test.skipIf(!existsSync(realBlog))(
  "the command imports a real blog and pictures of many sizes, and ends with its summary",
  { tags: ["more"] },
  async () => {
    await using source = await createFolder({});
    const posts = path.join(source.folder, "posts");
    await cp(realBlog, posts, { recursive: true });
    const sizes = [
      [64, 48],
      [800, 600],
      [1_600, 1_200],
      [4_100, 3_000],
    ] as const;
    for (let index = 0; index < 24; index++) {
      await source.put(`posts/more-${index}.md`, post(`More ${index}`, [`more-${index}.png`]));
      await source.put(`posts/more-${index}.png`, await paint(...sizes[index % sizes.length]!));
    }
    const dataDir = await siteFor(source);
    const { code, output, error } = await reprise(dataDir, ["import", "markdown", posts, "--author", "ana"]);
    expect([code, error]).toEqual([0, ""]);
    expect(output).toContain("Imported 147 blogs with 101 pictures, as ana, from 147 posts.");
    expect(output).toContain("Increasing-Rusts-Reach/index.md: The picture manish.png couldn’t be imported");
    expect(output).toMatch(/To undo the import: npm run reprise -- import undo \S+$/);
    const runs = (await reprise(dataDir, ["import", "list", "--json"])).json;
    expect(runs).toMatchObject([{ state: "done", blogs: 147 }]);
  },
);
