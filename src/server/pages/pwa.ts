import { readFileSync } from "node:fs";
import path from "node:path";
import type { FastifyInstance } from "fastify";
import { routes } from "../../shared/routes.ts";
import type { WorkerBuild } from "../../shared/service-worker.ts";
import type { Config } from "../runtime/config.ts";
import { crossOrigin } from "../http/security-headers.ts";
import { clientFolder, hasClient, loadedBy, readManifest } from "./assets.ts";

/*
 * The installable site (docs/decisions/0018-offline-and-service-worker.md): manifest, icons, and the service worker, which
 * shows cached articles offline.
 */

/** A new blog, possibly with what another program shared (client/writing/form/shared-content.ts). */
const write = "/add-blog";
export const workerPath = "/service-worker.js";
const WORKER = "src/client/worker/service-worker.ts";
const OFFLINE_PAGE = "src/client/worker/offline-page.ts";
const ENTRY = "src/client/entry-browser.tsx";
/** What readers can open in a cached article. */
const OF_ARTICLES = [
  ENTRY,
  "src/client/pages/blog-page.tsx",
  "src/client/app/member-runtime.ts",
  "src/client/app/member-effects.tsx",
  "src/client/comments/comments-section.tsx",
  "src/client/comments/comment-mutations.ts",
  "src/client/blogs/blog-mutations.ts",
  "src/client/live/mutations/offline-queue.ts",
];

/** Unregisters itself and deletes its caches: served where the service worker is off. */
const unregisterScript = `self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) =>
  event.waitUntil(
    caches.keys()
      .then((names) => Promise.all(names.map((name) => caches.delete(name))))
      .then(() => self.registration.unregister()),
  ),
);
`;

/** Whether there is a build and the service worker is on. */
export const hasServiceWorker = (config: Pick<Config, "serviceWorker">): boolean =>
  config.serviceWorker && hasClient();

export async function pwaRoutes(
  server: FastifyInstance,
  { config, dev }: { config: Config; dev: boolean },
): Promise<void> {
  server.get("/manifest.webmanifest", async (_request, reply) =>
    reply
      .headers({ "content-type": "application/manifest+json", "cache-control": "public, max-age=3600" })
      .send(appManifest(config)),
  );
  server.get<{ Params: { name: string } }>("/static/icons/:name", async (request, reply) => {
    const { name } = request.params;
    if (!/^[a-z\d]+\.png$/.test(name)) return reply.callNotFound();
    return reply.headers(crossOrigin).sendFile(`static/icons/${name}`, { maxAge: "1d" });
  });
  const code = dev || !hasServiceWorker(config) ? undefined : workerCode();
  server.get(workerPath, async (_request, reply) =>
    reply
      .headers({ "content-type": "text/javascript; charset=utf-8", "cache-control": "no-cache" })
      // Read on each request, since the name can change.
      .send(
        code
          ? `self.BUILD = ${JSON.stringify({ name: config.siteName, ...code.build })};\n${code.text}`
          : unregisterScript,
      ),
  );
}

function appManifest({ siteName }: Pick<Config, "siteName">) {
  const icon = (name: string, sizes: string, purpose: string) => ({
    src: `/static/icons/${name}.png`,
    sizes,
    type: "image/png",
    purpose,
  });
  return {
    id: "/",
    name: siteName,
    short_name: siteName,
    lang: "en",
    start_url: routes.home(),
    scope: "/",
    display: "standalone",
    background_color: "#fbfaf6",
    theme_color: "#fbfaf6",
    icons: [
      icon("192", "192x192", "any"),
      icon("512", "512x512", "any"),
      icon("maskable", "512x512", "maskable"),
    ],
    shortcuts: [{ name: "Write", url: write }],
    share_target: {
      action: write,
      method: "GET",
      params: { title: "title", text: "text", url: "link" },
    },
  };
}

/** Returns the built service worker, and what it needs to know of the build. */
function workerCode(): { build: Omit<WorkerBuild, "name">; text: string } {
  const manifest = readManifest();
  const chunk = (source: string) => {
    const found = manifest[source];
    if (!found) throw new Error(`The build has no ${source}. Run npm run build.`);
    return found;
  };
  const addresses = (files: string[] | undefined): string[] => (files ?? []).map((file) => `/${file}`);
  const { css, modules } = loadedBy(manifest, OF_ARTICLES);
  // A classic script cannot import; it may share only types.
  if (chunk(WORKER).imports) throw new Error("The worker shares code with pages: it has to stand alone.");
  return {
    build: {
      sheets: [...addresses(chunk(ENTRY).css), ...addresses(chunk(OFFLINE_PAGE).css)],
      script: `/${chunk(OFFLINE_PAGE).file}`,
      shell: [...modules, ...css],
    },
    text: readFileSync(path.join(clientFolder, chunk(WORKER).file), "utf8"),
  };
}
