import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { Encoded } from "../../src/server/media/encode-picture.ts";
import { ImagePool } from "../../src/server/media/image-pool.ts";
import { limits } from "../../src/shared/limits.ts";

/* A program that only processes the file `picture` in a folder: no server, timer or thread keeps it alive.
   `node tests/support/image-pool-program.ts FOLDER idle|heavy` prints the stored width in pixels of the last one when it ends. */

const [folder = "", mode] = process.argv.slice(2);
const source = path.join(folder, "picture");
// With so little shared memory every picture starts again, alone, after its first process has ended.
const memory = mode === "heavy" ? { ...limits.image.memory, shared: 1 } : limits.image.memory;
const pool = new ImagePool(memory);

async function processPicture(name: string, alone = false): Promise<number> {
  const target = path.join(folder, name);
  await mkdir(target);
  return ((await pool.run({ source, folder: target }, { account: "ana", alone })) as Encoded).width;
}

let width: number | undefined;
if (mode === "heavy") width = await processPicture("heavy");
else {
  // Two processes start and are idle when the third picture, which is to be alone, ends one of them.
  await Promise.all([processPicture("first"), processPicture("second")]);
  width = await processPicture("third", true);
}
process.stdout.write(`${width}\n`);
