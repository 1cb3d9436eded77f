import { mkdir } from "node:fs/promises";
import path from "node:path";
import { Workshop } from "../../src/server/media/workshop.ts";
import { limits } from "../../src/shared/limits.ts";

/*
 * A program that does nothing but work on the picture `picture` in a folder: no server, timer or thread keeps it from ending.
 * `node tests/support/only-pictures.ts FOLDER idle|heavy` says at its end in how many pixels of width the last one was stored.
 */

const [folder = "", way] = process.argv.slice(2);
const source = path.join(folder, "picture");
// With so little to share every picture begins again, alone, after the process that it was given to has ended.
const memory = way === "heavy" ? { ...limits.image.memory, shared: 1 } : limits.image.memory;
const workshop = new Workshop(memory);

async function work(name: string, alone = false): Promise<number | undefined> {
  const to = path.join(folder, name);
  await mkdir(to);
  return (await workshop.do({ source, folder: to }, { account: "ana", alone }))?.width;
}

let width: number | undefined;
if (way === "heavy") width = await work("heavy");
else {
  // Two processes are begun; both wait for more work when the third picture, to be alone, has one of them ended.
  await Promise.all([work("first"), work("second")]);
  width = await work("third", true);
}
process.stdout.write(`${width}\n`);
