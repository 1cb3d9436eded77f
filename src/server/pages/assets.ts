import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Manifest } from "vite";
import type { Assets } from "../../client/entry-server.tsx";
import { buildFolder } from "../runtime/project-root.ts";

export type AssetsFor = (files: string[], forMember: boolean) => Assets;

const ENTRY = "src/client/entry-browser.tsx";
/** Needed by members' pages before and right after hydration. */
const OF_MEMBERS = ["src/client/app/member-runtime.ts", "src/client/app/member-effects.tsx"];
const EARLY = "src/client/entry-early.ts";
const EMBED = "src/client/entry-embed.ts";
/** The first screen's fonts. */
const FACE = /\/type\/(text|title)-basic\.woff2$/;

/** The client's part of the build. Tests of the server need none. */
export const clientFolder = path.join(buildFolder, "client");
const manifestFile = path.join(clientFolder, ".vite/manifest.json");
export const hasClient = (): boolean => existsSync(manifestFile);
export const readManifest = (): Manifest => JSON.parse(readFileSync(manifestFile, "utf8")) as Manifest;

/** Returns a page's assets by the build's manifest. `files` are its source file, and those of parts that it shows at once. */
export function builtAssets(): AssetsFor {
  const manifest = readManifest();
  const entry = manifest[ENTRY];
  const early = manifest[EARLY];
  if (!entry || !early) throw new Error(`The build has no ${entry ? EARLY : ENTRY}. Run npm run build.`);
  const fonts = Object.entries(manifest).flatMap(([source, chunk]) =>
    FACE.test(source) ? [`/${chunk.file}`] : [],
  );
  // With the theme, which declares the order of the CSS layers and must come first.
  const ownSheets = (entry.css ?? []).map((sheet) => `/${sheet}`);
  const cache = new Map<string, Assets>();
  return (files, forMember) => {
    const key = `${files.join(" ")} ${forMember}`;
    let assets = cache.get(key);
    if (!assets) {
      const { css, modules } = loadedBy(manifest, [ENTRY, ...files, ...(forMember ? OF_MEMBERS : [])]);
      modules.delete(`/${entry.file}`);
      cache.set(
        key,
        (assets = {
          entry: `/${entry.file}`,
          early: `/${early.file}`,
          css: [...new Set([...ownSheets, ...css])],
          modules: [...modules],
          fonts,
        }),
      );
    }
    return assets;
  };
}

/** Returns the script and the style sheets of the page that other sites can frame (client/entry-embed.ts). */
export function embedAssets(dev: boolean): { script: string; css: string[] } {
  if (dev) return { script: `/${EMBED}`, css: [] };
  // Server tests need no build.
  if (!hasClient()) return { script: "/assets/none.js", css: [] };
  const chunk = readManifest()[EMBED];
  if (!chunk) throw new Error(`The build has no ${EMBED}. Run npm run build.`);
  if (chunk.imports) throw new Error("The page in frames shares code with pages: it has to stand alone.");
  return { script: `/${chunk.file}`, css: (chunk.css ?? []).map((sheet) => `/${sheet}`) };
}

/** Returns what importing these files loads at once. */
export function loadedBy(manifest: Manifest, files: string[]): { css: Set<string>; modules: Set<string> } {
  const css = new Set<string>();
  const modules = new Set<string>();
  const visit = (key: string): void => {
    const chunk = manifest[key];
    if (!chunk || modules.has(`/${chunk.file}`)) return;
    modules.add(`/${chunk.file}`);
    chunk.imports?.forEach(visit);
    for (const sheet of chunk.css ?? []) css.add(`/${sheet}`);
  };
  files.forEach(visit);
  return { css, modules };
}
