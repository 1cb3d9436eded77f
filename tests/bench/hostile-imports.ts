import { setTimeout as pause } from "node:timers/promises";
import { newestRun, sendImport } from "../support/import-upload.ts";
import { buildZip } from "../support/zip.ts";
import type { Site } from "./bench-site.ts";

type Attack = (context: { site: Site }) => Promise<{ acts: (() => Promise<unknown>)[]; width: number }>;

const paragraph = "Owls fly at night over the moss and the quiet river, ".repeat(4);
const text = Array.from({ length: 1_800 }, () => paragraph).join("\n\n");

/** About as much text as a small archive may unpack to: 60 MB in 330 kB. */
const archive = () =>
  buildZip(
    Array.from({ length: 160 }, (_, at) => ({
      name: `${at}.md`,
      bytes: `---\ntitle: Post ${at}\ndate: 2020-01-02\n---\n${text}\n`,
    })),
  );

async function importArchive({ ana }: Site, bytes: Buffer): Promise<void> {
  await sendImport(ana, bytes);
  while ((await newestRun(ana))?.state !== "done") await pause(500);
}

export const importKinds: Record<string, Attack> = {
  "an import of 60 MB of texts": async ({ site }) => {
    const bytes = archive();
    return { acts: [() => importArchive(site, bytes)], width: 1 };
  },
};
