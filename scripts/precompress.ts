// Compresses each text file once during the build, as small as possible, instead of at the first request.
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Plugin } from "vite";

const compressBrotli = (text: Buffer): Promise<Buffer> =>
  promisify(brotliCompress)(text, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
      // The largest blocks: each has a header.
      [constants.BROTLI_PARAM_LGBLOCK]: constants.BROTLI_MAX_INPUT_BLOCK_BITS,
    },
  });

/** Writes `x.js.br` and `x.js.gz` beside each `x.js`. `tests/browser/page-weight.spec.ts` has the limits of a first visit. */
export const precompress: Plugin = {
  name: "light",
  async writeBundle({ dir = "" }, bundle) {
    // An import would delay the early script, which bridges the time until all other code has loaded.
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
          await writeFile(`${file}.br`, await compressBrotli(text));
          await writeFile(`${file}.gz`, await promisify(gzip)(text, { level: 9 }));
        }),
    );
  },
};
