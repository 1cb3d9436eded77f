import type { FastifyInstance } from "fastify";
import type { EnvironmentModuleNode, Plugin, ViteDevServer } from "vite";
import { projectRoot } from "../runtime/project-root.ts";
import type { PageRenderer, Renderer } from "./pages.ts";

const SERVER_ENTRY = "/src/client/entry-server.tsx";
const BROWSER_ENTRY = "/@reprise/entry.ts";
const EARLY = "/src/client/entry-early.ts";
const FACES = ["text", "title"].map((name) => `/src/client/ui/type/${name}-basic.woff2`);

/** Starts Vite inside the server, which renders pages from source. */
export async function startVite(server: FastifyInstance, port: number): Promise<Renderer> {
  const { createServer } = await import("vite");
  const vite = await createServer({
    root: projectRoot,
    appType: "custom",
    server: { middlewareMode: true, hmr: { port: hmrPort(port) } },
    plugins: [browserEntry],
  });
  server.addHook("onClose", () => vite.close());
  for (const prefix of [
    "/@vite/*",
    "/@id/*",
    "/@fs/*",
    "/@reprise/*",
    "/@react-refresh",
    "/src/*",
    "/node_modules/*",
  ]) {
    server.get(prefix, (request, reply) => {
      reply.hijack();
      // Vite sets its own headers.
      vite.middlewares(request.raw, reply.raw, () => {
        reply.raw.statusCode = 404;
        reply.raw.end();
      });
    });
  }
  return {
    load: async () => (await vite.ssrLoadModule(SERVER_ENTRY)) as PageRenderer,
    assetsFor: ([file = ""]) => ({
      entry: BROWSER_ENTRY,
      early: EARLY,
      css: sheetsOf(vite, file),
      modules: [],
      fonts: FACES,
    }),
  };
}

/** By the server's port, so that two sites do not collide. */
const hmrPort = (port: number): number => 20_000 + (port % 10_000);

/** React's refresh must load before components; Vite would otherwise use an inline script. */
const browserEntry: Plugin = {
  name: "reprise-dev-entry",
  resolveId: (id) => (id === BROWSER_ENTRY ? id : undefined),
  load: (id) =>
    id === BROWSER_ENTRY
      ? `import "/@vite/client";
         import { injectIntoGlobalHook } from "/@react-refresh";
         injectIntoGlobalHook(window);
         window.$RefreshReg$ = () => {};
         window.$RefreshSig$ = () => (type) => type;
         await import("/src/client/entry-browser.tsx");`
      : undefined,
};

/** Returns a page's style sheets, to style it before scripts run. */
function sheetsOf(vite: ViteDevServer, pageFile: string): string[] {
  const graph = vite.environments.ssr.moduleGraph;
  const sheets = new Set(
    ["theme", "type", "base", "layout", "utilities"].map((name) => `/src/client/ui/${name}.css`),
  );
  const visited = new Set<EnvironmentModuleNode>();
  const visit = (module: EnvironmentModuleNode): void => {
    if (visited.has(module)) return;
    visited.add(module);
    if (module.url.endsWith(".css")) sheets.add(module.url);
    for (const imported of module.importedModules) {
      if (!imported.url.endsWith("-page.tsx") || imported.url === `/${pageFile}`) visit(imported);
    }
  };
  for (const module of graph.getModulesByFile(`${vite.config.root}${SERVER_ENTRY}`) ?? []) visit(module);
  return [...sheets];
}
