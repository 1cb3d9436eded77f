import { statfsSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import { send } from "../../support/pictures.ts";
import { isPostgres } from "../../../src/server/database/schema/store.ts";
import { mountSmallDisk } from "../../support/small-disk.ts";
import { aBlog, startTestSite } from "../../support/test-site.ts";

test.skipIf(isPostgres)(
  "serves pages, feeds and cards on a full disk, and says that it is full where a picture is sent",
  async ({ skip }) => {
    using disk = mountSmallDisk(24);
    if (!disk) return skip();
    const dataDir = path.join(disk.folder, "data");
    await mkdir(dataDir);
    await using site = await startTestSite({ DATA_DIR: dataDir });
    const ana = await site.createAccount("Ana");
    const { slug } = await ana.api.blogs.create.mutate(aBlog({ title: "Owls" }));
    const fill = (left: number) => {
      const { bavail, bsize } = statfsSync(disk.folder);
      writeFileSync(
        path.join(disk.folder, `other-${left}`),
        Buffer.alloc(Math.max(0, bavail * bsize - left)),
      );
    };
    const background = { r: 255, g: 255, b: 255 };
    const noise = { type: "gaussian", mean: 128, sigma: 60 } as const;
    const picture = await sharp({ create: { width: 800, height: 600, channels: 3, background, noise } })
      .jpeg({ quality: 20 })
      .toBuffer();
    // Room for what is sent and its copy, but not for what is made of it.
    fill(3 * picture.length);
    const full = { status: 503, message: expect.stringContaining("disk is full") as string };
    const upload = async () => {
      const answer = await send(ana, picture);
      return { status: answer.status, message: ((await answer.json()) as { message: string }).message };
    };
    expect(await upload()).toEqual(full);
    fill(0);
    expect(await upload()).toEqual(full);
    const html = await (await fetch(`${site.url}/blog/${slug}`)).text();
    const card = /property="og:image" content="[^"]+(\/cards\/[^"]+)"/.exec(html)![1]!;
    const addresses = [
      "/",
      "/home",
      `/blog/${slug}.md`,
      "/ana",
      "/feed.xml",
      "/atom.xml",
      "/feed.json",
      "/sitemap.xml",
    ];
    for (const address of [...addresses, card, card, "/static/icons/192.png", "/manifest.webmanifest"])
      expect([address, (await fetch(site.url + address)).status]).toEqual([address, 200]);
  },
);
