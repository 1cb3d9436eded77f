import { existsSync } from "node:fs";
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
