import { existsSync, readFileSync, realpathSync } from "node:fs";
import path from "node:path";

/** Searched upward from this file, whose depth differs once built. */
export const projectRoot: string = (() => {
  let folder = import.meta.dirname;
  while (!existsSync(path.join(folder, "drizzle.config.ts"))) {
    const parent = path.dirname(folder);
    if (parent === folder)
      throw new Error("The project's folder was not found: drizzle.config.ts is missing.");
    folder = parent;
  }
  return folder;
})();

/** The version of Reprise that runs. */
export const { version } = JSON.parse(readFileSync(path.join(projectRoot, "package.json"), "utf8")) as {
  version: string;
};

const isBuilt = !import.meta.filename.endsWith(".ts");
const current = path.join(projectRoot, "dist/current");

/** The folder of the build that this process runs or, from the sources, of the newest one. Later builds have their own. */
export const buildFolder: string = isBuilt
  ? path.dirname(import.meta.dirname)
  : existsSync(current)
    ? realpathSync(current)
    : current;
