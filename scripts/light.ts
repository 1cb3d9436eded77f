// What the build does about weight: brotli at its best for every text, once and not for the first who asks, and a budget.
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import type { Plugin, Rolldown } from "vite";

/** What the first visit of an article may weigh at most: kilobytes as sent, and the files beside the document. */
const budget = { scripts: 135, sheets: 11, fonts: 30, files: 8 };

/** What its document names and what comes after its first paint. */
const scripts = [
  "entry-browser.tsx",
  "entry-early.ts",
  "pages/blog-page.tsx",
  "comments/company.tsx",
  "article/selected-blog.ts",
];
const fonts = ["type/text-basic.woff2", "type/title-basic.woff2"];

const compressed = (text: Buffer): Promise<Buffer> =>
  promisify(brotliCompress)(text, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
    },
  });

/** Puts `x.js.br` beside each `x.js`, and fails the build where a guest's first article would be too heavy. */
export const light: Plugin = {
  name: "light",
  async writeBundle({ dir = "" }, bundle) {
    const sizes = new Map<string, number>();
    await Promise.all(
      Object.keys(bundle).map(async (name) => {
        const file = path.join(dir, name);
        const isText = /^assets\/.*\.(js|css|svg|json)$/.test(name);
        const sent = isText ? await compressed(await readFile(file)) : await readFile(file);
        if (isText) await writeFile(`${file}.br`, sent);
        sizes.set(name, sent.length);
      }),
    );
    const weigh = (names: Set<string>): number =>
      [...names].reduce((sum, name) => sum + sizes.get(name)!, 0) / 1000;
    const { modules, sheets, faces } = firstVisit(bundle);
    const found = {
      scripts: weigh(modules),
      sheets: weigh(sheets),
      fonts: weigh(faces),
      files: modules.size + sheets.size + faces.size,
    };
    // It would wait for what it is there to bridge.
    for (const file of Object.values(bundle))
      if (
        file.type === "chunk" &&
        file.facadeModuleId?.endsWith("/entry-early.ts") &&
        file.imports.length > 0
      )
        this.error(
          `entry-early.ts runs before all other code, and must not import ${file.imports.join(", ")}.`,
        );
    const said = Object.entries(found).map(([what, is]) => `${what} ${is.toFixed(1).replace(".0", "")}`);
    this.info(`A guest's first article: ${said.join(", ")}.`);
    const broken = Object.entries(budget).filter(([what, most]) => found[what as keyof typeof found] > most);
    if (broken.length > 0)
      this.error(`That is too much: ${broken.map(([what, most]) => `${what} at most ${most}`).join(", ")}.`);
  },
};

/** The files of the bundle that it loads. */
function firstVisit(bundle: Rolldown.OutputBundle): Record<"modules" | "sheets" | "faces", Set<string>> {
  const modules = new Set<string>();
  const sheets = new Set<string>();
  const faces = new Set<string>();
  const visit = (name: string): void => {
    const chunk = bundle[name];
    if (chunk?.type !== "chunk" || modules.has(name)) return;
    modules.add(name);
    for (const sheet of chunk.viteMetadata?.importedCss ?? []) sheets.add(sheet);
    chunk.imports.forEach(visit);
  };
  for (const file of Object.values(bundle)) {
    if (
      file.type === "chunk" &&
      file.moduleIds.some((id) => scripts.some((script) => id.endsWith(`/${script}`)))
    )
      visit(file.fileName);
    if (
      file.type === "asset" &&
      file.originalFileNames.some((name) => fonts.some((font) => name.endsWith(font)))
    )
      faces.add(file.fileName);
  }
  return { modules, sheets, faces };
}
