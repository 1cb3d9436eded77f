import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { Zip } from "../../../../src/server/exports/zip.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Returns the bytes outside of V8's own heap that are still referenced. */
async function externalBytes(): Promise<number> {
  // What is freed in one turn releases the rest in the next.
  for (let round = 0; round < 3; round++) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return process.memoryUsage().arrayBuffers;
}

test("keeps nothing in memory of the files that were written into a ZIP", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "reprise-zip-"));
  try {
    const zip = await Zip.create(path.join(folder, "a.zip"));
    const write = async (files: number) => {
      for (let at = 0; at < files; at++)
        await zip.add(`blogs/${at}.md`, Buffer.from("One hears owls, mostly. ".repeat(800)));
    };
    await write(50);
    const bytesBefore = await externalBytes();
    await write(500);
    expect((await externalBytes()) - bytesBefore).toBeLessThan(2_000_000);
    await zip.close();
  } finally {
    await rm(folder, { recursive: true });
  }
});
