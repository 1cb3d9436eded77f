import react from "@vitejs/plugin-react";
import { icons } from "./scripts/icons.ts";
import { precompress } from "./scripts/precompress.ts";
import { cp } from "node:fs/promises";
import { defineConfig, type BuildEnvironmentOptions, type Plugin } from "vite";

const inParts =
  `@fastify/swagger age-encryption arctic culori diff drizzle-orm entities fast-xml-builder fast-xml-parser
  fastify-type-provider-zod feedsmith jose nodemailer rate-limiter-flexible yaml zod`.split(/\s+/);

// Two builds: the pages' code, and with --ssr the server, which reaches entry-server by a dynamic import.
export default defineConfig(({ isSsrBuild }) => ({
  appType: "custom",
  plugins: [react(), ...(isSsrBuild ? [inProduction, cardType] : [icons, precompress])],
  // Packages ask at each call, and Node reads its environment anew each time.
  define: isSsrBuild ? { "process.env.NODE_ENV": JSON.stringify("production") } : {},
  // Hundreds of small modules: loaded one by one they cost 150 MB of memory at the start, in one file next to nothing.
  ssr: { noExternal: [...inParts, /^@(ariakit|noble|oslojs|scure|tanstack|trpc)\//] },
  build: {
    target: isSsrBuild ? "node22" : "es2022",
    // light-dark() as it is: the fallback that would be made for older browsers forgets elements of a scheme of their own.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    // Nothing inline: the content security policy allows neither scripts in the page nor data: fonts.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // A list of each page's chunks in the entry would cost every reader 1.7 kB; browser-router.ts fetches a page
      // as soon as its link is pointed at, and the server names the first page's own.
      resolveDependencies: (_file, names) => names.filter((name) => name.endsWith(".css")),
    },
    ...(isSsrBuild ? server : client),
  },
}));

const client: BuildEnvironmentOptions = {
  outDir: "dist/client",
  manifest: true,
  rolldownOptions: {
    input: [
      "src/client/entry-browser.tsx",
      "src/client/entry-early.ts",
      "src/client/entry-embed.ts",
      "src/client/worker/service-worker.ts",
      "src/client/worker/offline-page.ts",
      // What the worker keeps has to have a chunk of its own (src/server/pages/pwa.ts).
      "src/client/live/mutations/offline-queue.ts",
    ],
    // What every page needs, and an article beside it, in one file with one sheet: many small ones compress worse, and each is
    // asked for.
    output: {
      // The entry names every chunk to every reader: hex costs half a byte a letter where base64 costs three quarters.
      hashCharacters: "hex",
      entryFileNames: "assets/[name]-[hash:7].js",
      chunkFileNames: "assets/[name]-[hash:7].js",
      assetFileNames: ({ names: [name = ""] }) =>
        name.endsWith(".css") ? "assets/[hash:7].css" : "assets/[name]-[hash:7][extname]",
      codeSplitting: {
        groups: [
          {
            name: "site",
            test: /src\/client\/(entry-browser|pages\/blog-page)\.tsx$/,
          },
        ],
      },
    },
  },
};

const server: BuildEnvironmentOptions = {
  outDir: "dist/server",
  copyPublicDir: false,
  rolldownOptions: {
    input: {
      main: "src/server/main.ts",
      reprise: "src/server/reprise.ts",
      demo: "scripts/demo/main.ts",
      encoder: "src/server/media/encoder.ts",
      "compile-style-sheet": "src/server/site/compile-style-sheet.ts",
      worker: "src/server/workers/worker.ts",
      reader: "src/server/workers/reader.ts",
    },
    output: {
      entryFileNames: "[name].js",
      chunkFileNames: "[name]-[hash].js",
      banner: (chunk) => (chunk.isEntry ? 'import "./production.js";' : ""),
    },
  },
};

// What cards are drawn with lies beside the program that draws them.
const cardType: Plugin = {
  name: "card-type",
  writeBundle: ({ dir = "" }) => cp("src/server/media/card-type", `${dir}/card-type`, { recursive: true }),
};

// React picks its production build by NODE_ENV when it's first imported, so whoever runs `node dist/server/main.js`
// needs it set before that: the module that does is the first import.
const inProduction: Plugin = {
  name: "in-production",
  generateBundle() {
    this.emitFile({
      type: "asset",
      fileName: "production.js",
      source: 'process.env.NODE_ENV ??= "production";\n',
    });
  },
};
