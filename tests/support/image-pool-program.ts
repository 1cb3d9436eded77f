import { mkdir } from "node:fs/promises";
import path from "node:path";
import { ImagePool } from "../../src/server/media/image-pool.ts";
import { limits } from "../../src/shared/limits.ts";

/* A program that only processes the file `picture` in a folder: no server, timer or thread keeps it alive.
   `node tests/support/image-pool-program.ts FOLDER idle|heavy` prints the stored width in pixels of the last one when it ends. */

const [folder = "", way] = process.argv.slice(2);
const source = path.join(folder, "picture");
// With so little shared memory every picture starts again, alone, after its first process has ended.
const memory = way === "heavy" ? { ...limits.image.memory, shared: 1 } : limits.image.memory;
const workshop = new ImagePool(memory);

async function work(name: string, alone = false): Promise<number | undefined> {
  const to = path.join(folder, name);
  await mkdir(to);
  return (await workshop.do({ source, folder: to }, { account: "ana", alone }))?.width;
}

let width: number | undefined;
if (way === "heavy") width = await work("heavy");
else {
  // Two processes start and are idle when the third picture, which is to be alone, ends one of them.
  await Promise.all([work("first"), work("second")]);
  width = await work("third", true);
}
process.stdout.write(`${width}\n`);
