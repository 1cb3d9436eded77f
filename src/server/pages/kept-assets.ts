import { constants } from "node:fs";
import { cp, mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import path from "node:path";
import { clientFolder } from "./assets.ts";
import { buildFolder } from "../runtime/project-root.ts";

/*
 * A page opened before an upgrade loads parts of its own release later. So each server leaves its assets in the data folder,
 * from where the next release serves them, even if it comes without the old one, as a container does.
 */

const keptFor = 24 * 60 * 60_000;
/** Others are copies that a crash or a full disk cut off. */
const isWhole = (name: string): boolean => !name.includes("-");
const folderOf = (dataDir: string): string => path.join(dataDir, "assets");

/** Returns the folders with assets of earlier releases. */
export async function keptAssets(dataDir: string): Promise<string[]> {
  const folder = folderOf(dataDir);
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => isWhole(name) && name !== path.basename(buildFolder))
    .map((name) => path.join(folder, name));
}

/** Keeps the assets of this build, and for a day those of the build that ran before it; deletes the older ones. */
export async function keepAssets(dataDir: string): Promise<void> {
  const folder = folderOf(dataDir);
  const own = path.join(folder, path.basename(buildFolder));
  const now = Date.now();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const names = await readdir(folder);
  for (const name of names)
    if (!isWhole(name)) await rm(path.join(folder, name), { recursive: true, force: true });
  const started = await Promise.all(
    names.filter(isWhole).map(async (name) => {
      const kept = path.join(folder, name);
      return { kept, at: (await stat(kept)).mtimeMs };
    }),
  );
  const [last, ...older] = started.toSorted((one, other) => other.at - one.at);
  // It ran until now.
  if (last && last.kept !== own) await utimes(last.kept, now / 1000, now / 1000);
  for (const { kept, at } of older)
    if (kept !== own && at < now - keptFor) await rm(kept, { recursive: true, force: true });
  if (!started.some(({ kept }) => kept === own)) {
    const unfinished = `${own}-${process.pid}`;
    await cp(path.join(clientFolder, "assets"), unfinished, {
      recursive: true,
      mode: constants.COPYFILE_FICLONE,
    });
    await rename(unfinished, own);
  }
  await utimes(own, now / 1000 + 1, now / 1000 + 1);
}
