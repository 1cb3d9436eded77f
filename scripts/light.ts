// What the build does about weight: each text is compressed once, as small as it gets, and not for the first who asks.
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Plugin } from "vite";

const byBrotli = (text: Buffer): Promise<Buffer> =>
  promisify(brotliCompress)(text, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
      // The largest blocks: each costs a header of its own.
      [constants.BROTLI_PARAM_LGBLOCK]: constants.BROTLI_MAX_INPUT_BLOCK_BITS,
    },
  });

/** Puts `x.js.br` and `x.js.gz` beside each `x.js`. What a first visit may weigh says `tests/browser/weight.spec.ts`. */
export const light: Plugin = {
  name: "light",
  async writeBundle({ dir = "" }, bundle) {
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
    await Promise.all(
      Object.keys(bundle)
        .filter((name) => /^assets\/.*\.(js|css|svg|json)$/.test(name))
        .map(async (name) => {
          const file = path.join(dir, name);
          const text = await readFile(file);
          await writeFile(`${file}.br`, await byBrotli(text));
          await writeFile(`${file}.gz`, await promisify(gzip)(text, { level: 9 }));
        }),
    );
  },
};
